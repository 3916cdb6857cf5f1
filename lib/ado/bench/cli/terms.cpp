// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/terms.hpp>

namespace ado::bench {
namespace {

const std::vector<Term> of_the_comparison{
    {{"portable"},
     "Written with Kokkos, for every backend. The table sets it beside a native variant.",
     "docs/design.md"},
    {{"one source", "plain", "tuned"},
     "Ways to write Kokkos, which the answer compares with the best by hand. plain is what its "
     "Programming Guide teaches; team is one source for all backends, with packs of numbers and a "
     "table of constants; tuned has kernels for each backend.",
     "docs/one-source.md"},
    {{"native", "hand-written"},
     "Written by hand for one kind of device: CUDA for GPUs, OpenMP for CPUs. It is what the "
     "portable variant is measured against.",
     "docs/design.md"},
    {{"twin"},
     "The portable and the native variant of one name: the same idea, once in Kokkos and once by "
     "hand. They run in turn on the same data. The twin of tuned is the best by hand.",
     "docs/design.md"},
    {{"rung", "ladder", "step"},
     "An algorithm's ladder leads from the first loop that comes to mind to the best kernel. Each "
     "rung is a variant that changes one thing against the one before.",
     "docs/ladder.md"},
    {{"exhibit"},
     "A variant that shows what something costs, few warps on a multiprocessor say, and leads "
     "nowhere: no rung of the ladder. Tables show exhibits behind the rungs.",
     "docs/ladder/yax.md#what-occupancy-does"},
    {{"model", "programming model"},
     "What a variant is written in: kokkos, cuda, openmp or serial, or the library that it calls.",
     ""},
    {{"backend", "execution space"},
     "Where Kokkos runs a portable variant: openmp, serial, cuda, ... --backend openmp:4 takes "
     "four threads; --list shows what this build has.",
     ""},
    {{"Kokkos"},
     "A C++ library in which a kernel is written once and runs on CPUs and GPUs.",
     "README.md"},
    {{"kernel"}, "A function that many threads run at once, each on other data.", ""},
    {{"View"},
     "Kokkos' array: it knows its size, its layout and the memory it is in. v(i, j) is an element.",
     "docs/course/README.md"},
    {{"f32", "f64", "i32", "i64"},
     "Types of elements: float, double, and integers of 32 and 64 bits. --type takes them.",
     ""},
    {{"device", "host"},
     "The device runs the kernels: a GPU, or the CPU itself. The host is the CPU that starts them.",
     ""},
    {{"case", "row"},
     "A case is an algorithm with its sizes and type. A row of the table is one portable variant "
     "of a case with its native one.",
     ""},
    {{"oracle", "verification", "error bound", "tolerance"},
     "Each result is compared with one that is computed more precisely. An element is right if its "
     "error is at most the bound of the rounding steps of that variant: no other tolerance. It is "
     "verified if the error is also one that these are likely to add up to.",
     "docs/design.md#what-is-right"},
    {{"witness data", "witness"},
     "Whole numbers whose sums are exact in any order. Each variant runs on them before it is "
     "timed: one element that is left out, or is there twice, shows.",
     "docs/design.md#what-is-right"},
    {{"no effect", "no input", "no NaN", "bad input", "no variant", "no witness"},
     "Cells of --selftest. The planted error changes no result of this problem, or does not fit "
     "its inputs, so it counts neither way.",
     "docs/numbers.md#selftest"},
    {{"poison", "guard"},
     "Before each timed run the output is filled with one of two patterns in turn, and so is "
     "memory beside it. What is not written, or written too much, shows.",
     "docs/design.md#what-is-right"}};

const std::vector<Term> of_measuring{
    {{"affinity mask", "quota", "control group"},
     "The CPUs that a process may use, as taskset or a batch system say, and how much of their "
     "time its control group gives it, as docker --cpus says. More threads than that wait for each "
     "other: a run warns, and its records have cpus_allowed and cpu_quota.",
     "docs/numbers.md#warnings"},
    {{"ratio"},
     "Time of the portable variant over time of the native one: 1.00 says that Kokkos costs "
     "nothing, 1.10 that it takes a tenth longer. Neighbouring runs are compared.",
     "docs/numbers.md#what-a-ratio-says"},
    {{"geometric mean", "average ratio"},
     "The mean for ratios: 0.5 and 2 have 1. The last line of a run takes that of the best "
     "variants.",
     "docs/numbers.md#the-answer"},
    {{"interval", "confidence interval", "95 %", "99 %"},
     "Between these two the true ratio lies with 95 % confidence, where compare has several runs "
     "with 99 %. More runs make it narrower. \"too noisy\": they are ten times apart or more, on "
     "both sides of 1.",
     "docs/numbers.md#what-a-ratio-says"},
    {{"undecided", "decided", "?"},
     "These runs do not tell which side is faster, or not whether by 1 %; records say "
     "inconclusive. The interval is too wide, or there are fewer than nine pairs of runs; a rung "
     "of three runs needs 10 % in each. "
     "--timeout 30, --variant NAME or a quieter machine decide more.",
     "docs/numbers.md#what-a-ratio-says"},
    {{"median"},
     "The middle one of the sorted times: half of the runs took less. One slow run does not move "
     "it.",
     ""},
    {{"quartile"},
     "A quarter of the runs took less than the first quartile, and a quarter more than the third.",
     ""},
    {{"noise", "~"},
     "How far the quartiles of the times are apart, in parts of the median. --max-noise 1 goes on "
     "until it is at most 1 %; ~ marks a time that stayed above that.",
     "docs/numbers.md#when-a-row-is-measured-enough"},
    {{"repetition", "reps", "run"},
     "A timed run of a variant. Short ones are batched until the clock can see them.",
     "docs/numbers.md#when-a-row-is-measured-enough"},
    {{"warm-up", "warmup"},
     "Runs before the first timed one, which pays for what happens once.",
     ""},
    {{"ceiling", "!", "cached!"},
     "What this machine reaches at best, measured at the start: moving memory in GB/s, arithmetic "
     "in GFLOP/s. A share above 1 is marked !, mostly because a cache helped; cached! is 2 or "
     "more. If the limiter is compute, the problem may state too many operations.",
     "docs/numbers.md#ceilings"},
    {{"roofline", "roof"},
     "Time is bounded below by the bytes over the bandwidth and by the operations over the peak of "
     "arithmetic. The higher of both is the roof that no kernel of this formula passes.",
     "docs/numbers.md#what-limits-a-kernel"},
    {{"bandwidth", "GB", "GB per second"},
     "Bytes that are moved in a second; 1 GB = 1e9 bytes. Inputs and outputs are counted once "
     "each.",
     ""},
    {{"GFLOP/s", "flop", "operation"},
     "Billions of floating-point operations a second; an addition is one, a multiply-add two.",
     ""},
    {{"empty kernel", "launch"},
     "What it takes to start a kernel that does nothing: no run of a variant takes less.",
     ""},
    {{"cache", "last-level cache"},
     "Small fast memory that keeps what was used last. Where all arrays fit it, times say nothing "
     "of memory: --cold-cache empties it before each timed run.",
     ""},
    {{"exit status", "exit code", "status"}, "", "docs/options.md#exit-status"}};

const std::vector<Term> of_a_gpu{
    {{"warp", "lane"},
     "A warp is 32 threads of a GPU that execute one instruction together; each of them is a lane. "
     "AMD's is a wavefront, of 64 lanes on its accelerators.",
     ""},
    {{"team", "thread block", "block", "workgroup", "league", "grid", "team size"},
     "Threads that share scratch memory and wait for each other: a block in CUDA, a workgroup of "
     "AMD. The league is all teams of a kernel, a grid in CUDA. --team-size and --league-size "
     "set them.",
     "docs/numbers.md#launches-on-a-gpu"},
    {{"multiprocessor", "SM", "compute unit", "CU"},
     "A part of a GPU that runs several blocks at once and has registers, shared memory and an L1 "
     "cache of its own. AMD's is a compute unit (CU).",
     ""},
    {{"L1", "L2"},
     "The caches of a GPU. L1 is in a multiprocessor, in one memory of 256 KB with shared memory: "
     "what teams take of it, L1 lacks. L2 is beside memory and serves all.",
     ""},
    {{"CUDA core"},
     "NVIDIA's word for what adds and multiplies one f32 a cycle: 128 in each multiprocessor of an "
     "H200. It is no core as a CPU has it: a warp takes 32 of them at once, and its clock is "
     "slower, 1.98 GHz.",
     ""},
    {{"occupancy", "active warp", "theoretical warp"},
     "Warps of a multiprocessor, of those that it can hold: the active ones run, the theoretical "
     "ones would fit. Registers, shared memory and the block's size limit it; more warps hide more "
     "waiting. --launches shows the theoretical, --ncu-csv both.",
     "docs/numbers.md#launches-on-a-gpu"},
    {{"register"},
     "The fastest memory, of one thread. What does not fit there is spilled to local memory.",
     "docs/numbers.md#launches-on-a-gpu"},
    {{"shared memory", "scratch", "LDS"},
     "Fast memory of a team, on the chip. CUDA calls it shared memory, Kokkos scratch, AMD LDS "
     "(local data share).",
     ""},
    {{"HBM", "DRAM", "global memory"},
     "The large memory of a GPU, beside its chip. HBM is the kind that data centres have; a "
     "profiler counts its bytes as DRAM.",
     ""},
    {{"bank conflict", "bank"},
     "Shared memory lies in 32 banks of 4-byte words. Lanes that want different words of one bank "
     "are served one after the other; the same word goes to all that want it at once. A column of "
     "padding cures conflicts.",
     "docs/ladder/vector_add.md#banks"},
    {{"coalesced access", "uncoalesced"},
     "Neighbouring lanes read neighbouring elements, so a warp needs few sectors. Where they do "
     "not, most of the bytes that move are not used.",
     "docs/ladder/vector_add.md#strided"},
    {{"excessive", "excessive sector"},
     "Sectors that a profiler counts beyond those that would do if neighbouring lanes touched "
     "neighbouring elements. Coalescing saves them.",
     "docs/course/10-profiler.md"},
    {{"line"},
     "What memory is fetched in: 128 bytes, four sectors, on a GPU; 64 bytes on a CPU.",
     "docs/course/01-first-measurement.md"},
    {{"sector", "request", "access"},
     "A GPU moves memory in sectors of 32 bytes. A request is one access of a warp: 4 sectors hold "
     "32 floats side by side.",
     "docs/ladder/vector_add.md#strided"},
    {{"access stride"},
     "How many elements lie between those that neighbouring lanes touch; 1: side by side.",
     "docs/ladder/vector_add.md#strided"},
    {{"divergence", "diverge"},
     "Where lanes of a warp take different branches, the warp goes both, one after the other.",
     "docs/ladder/vector_add.md#divergent"},
    {{"barrier", "fence"},
     "At a barrier threads of a team wait for each other; at a fence the host waits for the "
     "device.",
     ""},
    {{"sweep", "shuffle"},
     "Two ways to add up what the threads of a team have. In a sweep half of them add the other "
     "half's sums through shared memory, round by round, with a barrier each. A shuffle reads the "
     "registers of another lane of the warp: no memory, no barrier.",
     "docs/course/06-sums-and-products.md"},
    {{"wave"}, "Blocks that a GPU runs at once. Below one wave a part of it idles.", ""},
    {{"tile"},
     "A small square of a matrix, moved as a whole through fast memory.",
     "docs/ladder/transpose.md#tiled"},
    {{"stream", "slice", "chunk"},
     "Where data do not fit the device, or come bit by bit, they pass it in slices or chunks, so "
     "that copies and kernels run at the same time. CUDA also calls a queue of copies and kernels "
     "a stream; in Kokkos that is an instance of an execution space.",
     "docs/pipeline.md"},
    {{"pinned", "page-locked", "pageable"},
     "Pinned memory stays in place, so the GPU copies from it while the host goes on. Ordinary, "
     "pageable memory is first copied to such a place.",
     "docs/pipeline.md"},
    {{"Nsight", "Nsight Compute", "ncu", "counter", "rocprof", "Omniperf"},
     "NVIDIA's profiler of kernels, which counts what the hardware did. --profile prints its "
     "command for a case, --ncu-csv reads what it wrote. AMD's are rocprof and Omniperf (ROCm "
     "Compute Profiler), which ado does not read.",
     "docs/numbers.md#what-limits-a-kernel"},
    {{"nsys", "Nsight Systems", "time line"},
     "NVIDIA's profiler of whole programs: when the host called what, when copies and kernels ran. "
     "--timeline draws the stages of a stream alike.",
     "docs/course/10-profiler.md"},
    {{"performance portability", "Pennycook"},
     "The harmonic mean of an efficiency over all platforms; 0 where a variant fails on one.",
     "docs/options.md#a-page-of-the-results"}};

const std::vector<Term> of_waiting{
    {{"scheduler", "issue slot"},
     "A multiprocessor has four schedulers. In each cycle one may start an instruction of one of "
     "its warps: that is its issue slot. Where no warp is eligible, the slot passes unused.",
     "docs/course/01-first-measurement.md"},
    {{"eligible", "eligible warp", "issued warp"},
     "A warp that could execute its next instruction now. With less than one a cycle, schedulers "
     "idle. The one that a scheduler takes is the issued warp.",
     "docs/course/10-profiler.md"},
    {{"stall", "stalled", "stall reason"},
     "A warp that is stalled cannot go on. A profiler gives, for each reason, the cycles that a "
     "warp waits between two instructions. Stalls matter only where the schedulers find no "
     "eligible warp.",
     "docs/course/10-profiler.md"},
    {{"long scoreboard"},
     "A stall: the warp waits for what it asked of global or local memory. More bytes in flight "
     "help.",
     "docs/course/10-profiler.md"},
    {{"short scoreboard"},
     "A stall: the warp waits for shared memory, or for a special function. Bank conflicts make it "
     "long.",
     "docs/course/10-profiler.md"},
    {{"lg throttle"},
     "A stall: the queue of loads and stores to memory is full. Fewer, wider accesses help.",
     "docs/course/10-profiler.md"},
    {{"mio throttle"},
     "A stall: the queue to shared memory and special functions is full. Conflicts fill it.",
     "docs/course/10-profiler.md"},
    {{"pipe", "lsu"},
     "A unit of a multiprocessor that executes one kind of instructions: lsu loads and stores, alu "
     "and adu integers and addresses, fma and fp64 floating-point numbers, xu conversions and "
     "functions.",
     "docs/course/10-profiler.md"},
    {{"wavefront", "pass"},
     "NVIDIA: one turn of all banks of shared memory. A request of a warp takes one if no two "
     "lanes want different words of one bank, and up to 32 if all do. AMD: its warp, mostly 64 "
     "threads.",
     "docs/course/04-shared-memory.md"},
    {{"latency bound", "latency hiding"},
     "Neither memory nor arithmetic is near its roof: threads wait. More warps, or more loads a "
     "thread before the first is used, hide the waiting.",
     "docs/course/03-bytes-in-flight.md"},
    {{"memory bound", "compute bound"},
     "Memory bound: the time is that of moving the bytes, and only fewer bytes help. Compute "
     "bound: the time is that of the operations.",
     "docs/numbers.md#what-limits-a-kernel"},
    {{"in flight", "bytes in flight"},
     "Asked for and not there yet. Memory is busy where enough is in flight: its bandwidth times "
     "its latency, about 32 KiB for each multiprocessor of an H200.",
     "docs/course/03-bytes-in-flight.md"},
    {{"arithmetic intensity", "ridge point"},
     "Operations for each byte that moves. Below the ridge point, peak operations over bandwidth, "
     "memory is the limit.",
     "docs/course/01-first-measurement.md"},
    {{"spill", "local memory"},
     "What does not fit a thread's registers goes to memory and comes back. --launches shows it as "
     "local bytes.",
     "docs/course/08-occupancy.md"},
    {{"launch bounds"},
     "A promise to the compiler how large a team is and how many share a multiprocessor: it "
     "decides how many registers a thread may have.",
     "docs/course/08-occupancy.md"},
    {{"race", "atomic"},
     "A race: two threads read, add and write one number, and one sum is lost. An atomic does the "
     "three as one step; its order, and so the last bits of a sum, differs from run to run.",
     "docs/course/07-order-and-races.md"},
    {{"core", "SIMD", "cache line"},
     "A core of a CPU runs one thread, or two. A SIMD instruction works on 4 to 16 numbers at "
     "once. Memory comes in lines of 64 bytes.",
     "docs/course/11-cpu.md"},
    {{"prefetch"},
     "To fetch cache lines before they are asked for. A core does so by itself where a loop walks "
     "along memory.",
     "docs/course/11-cpu.md"},
    {{"non-temporal store"},
     "A store that writes past the cache. The line is not read first, and what lies in the cache "
     "stays there.",
     "docs/course/03-bytes-in-flight.md"},
    {{"pack"},
     "A few numbers side by side that move as one: a SIMD register of a CPU, or one load of 16 "
     "bytes of a GPU.",
     "docs/packs.md"},
    {{"stencil"},
     "A kernel that makes each element from the elements around it.",
     "docs/gallery.md"},
    {{"first touch", "NUMA"},
     "A page of memory lies near the core that writes to it first. A core far away reads it more "
     "slowly.",
     "docs/course/11-cpu.md"},
    {{"link", "all-to-all"},
     "What joins a GPU to its host or to another GPU; much slower than memory. In an all-to-all "
     "each GPU sends a part of its data to each other one.",
     "docs/course/13-two-gpus.md"},
    {{"slab", "rank"},
     "Where several GPUs share a matrix, a rank is the process of one of them, and a slab some of "
     "its rows that are worked on and sent as one.",
     "docs/course/13-two-gpus.md"},
    {{"strong scaling", "weak scaling"},
     "Strong: the same problem on more devices. Weak: each device keeps its share, and the problem "
     "grows.",
     "docs/course/13-two-gpus.md"}};

} // namespace

const std::vector<Term>& terms() {
  static const std::vector<Term> all = [] {
    std::vector<Term> joined = of_the_comparison;
    joined.insert(joined.end(), of_measuring.begin(), of_measuring.end());
    joined.insert(joined.end(), of_a_gpu.begin(), of_a_gpu.end());
    joined.insert(joined.end(), of_waiting.begin(), of_waiting.end());
    return joined;
  }();
  return all;
}

} // namespace ado::bench
