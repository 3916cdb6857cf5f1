// launches, cuda
//   mapping   calls: a launch for each kernel. fences: and cudaStreamSynchronize behind each.
//             instances: four parts of the arrays, the kernels of each on a stream of its own;
//             streams wait by events. functor_5k: calls, with 5 KiB of arguments. fused: one kernel
//   bytes     each kernel reads two arrays and writes one; fused: once
//   teaches   since CUDA 12.1 a kernel takes up to 32,764 bytes of arguments, so that functor_5k
//             needs no copy
#include "launches.cuh"
#include <ado/cuda/variant.hpp>

namespace launches {

namespace {

struct Calls : Launches {
  static constexpr std::string_view name = "calls", summary = "a launch for each kernel";
  static void run(const bench::Call& call, cudaStream_t stream) {
    launch_all<Step>(call, stream, false);
  }
};

struct Fences : Launches {
  static constexpr std::string_view name = "fences", summary = "the host waits for each kernel";
  static void run(const bench::Call& call, cudaStream_t stream) {
    launch_all<Step>(call, stream, true);
  }
};

struct Functor5k : Launches {
  static constexpr std::string_view name = "functor_5k", summary = "5 KiB of arguments";
  static void run(const bench::Call& call, cudaStream_t stream) {
    launch_all<Step5k>(call, stream, false);
  }
};

struct Instances : Launches {
  static constexpr std::string_view name = "instances", summary = "four parts, each on its stream";
  struct Streams {
    cudaStream_t of_part[4];
    cudaEvent_t begin, end;
    Streams() {
      for (cudaStream_t& stream : of_part)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      for (cudaEvent_t* event : {&begin, &end})
        cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    }
  };
  static const Streams& streams() {
    static const Streams made; // as long as the process lives
    return made;
  }

  static void prepare(const bench::Call&, cudaStream_t) { streams(); }
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Streams& own = streams();
    const std::size_t n = elements(call);
    cudaEventRecord(own.begin, stream);
    for (std::size_t part = 0; part < 4; ++part)
      cudaStreamWaitEvent(own.of_part[part], own.begin);
    for (std::size_t k = 0; k < kernels(call); ++k)
      for (std::size_t part = 0; part < 4; ++part) {
        const std::size_t begin = n * part / 4, end = n * (part + 1) / 4;
        step_kernel<<<blocks(end - begin), block, 0, own.of_part[part]>>>(step(call, k), begin,
                                                                          end);
      }
    for (std::size_t part = 0; part < 4; ++part) {
      cudaEventRecord(own.end, own.of_part[part]);
      cudaStreamWaitEvent(stream, own.end);
    }
  }
};

__global__ void fused_kernel(Step first, Number times, std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) first.c[i] = first.from[i] + times * first.b[i];
}

struct Fused : Launches {
  static constexpr std::string_view name = "fused", summary = "one kernel does it all";
  static void run(const bench::Call& call, cudaStream_t stream) {
    fused_kernel<<<blocks(elements(call)), block, 0, stream>>>(step(call, 0), Number(kernels(call)),
                                                               elements(call));
  }
};

const bench::CudaVariant<Calls> calls{__FILE__};
const bench::CudaVariant<Fences> fences{__FILE__};
const bench::CudaVariant<Functor5k> functor_5k{__FILE__};
const bench::CudaVariant<Instances> instances{__FILE__};
const bench::CudaVariant<Fused> fused{__FILE__};

} // namespace

} // namespace launches
