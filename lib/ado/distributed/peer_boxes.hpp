// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all, on GPUs that reach each other's memory, and no host takes part.
// Each rank has a box: memory of its GPU that the others keep open. A kernel stores this rank's
// part into the other boxes, waits until theirs are in its own, and takes them out.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/peer_memory.hpp>
#include <ado/distributed/peer_plan.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ado::distributed::detail {

/// A box: numbers of other ranks' blocks, which say what these have stored last, and two areas that
/// take turns. When a rank stores into an area again, it has heard of what the owner stored in
/// between, and the owner did that after it had emptied the area.
struct PeerBox {
  // CUDA puts a smaller one beside other allocations.
  static constexpr std::size_t bytes = std::size_t{2} << 20, head_bytes = 65536;
  static constexpr std::size_t area_bytes = (bytes - head_bytes) / 2;
  static constexpr unsigned most_blocks = 16; ///< that send to one rank

  std::byte* memory;

  __host__ __device__ volatile unsigned long long* number_of(int rank, unsigned block) const {
    return reinterpret_cast<volatile unsigned long long*>(memory) + rank * most_blocks + block;
  }
  template <class T>
  __host__ __device__ T* area(unsigned long long number) const {
    return reinterpret_cast<T*>(memory + head_bytes + number % 2 * area_bytes);
  }
};

/// A gather as its kernel sees it.
struct PeerGather {
  static constexpr int most_ranks = 32; ///< of one machine
  static_assert(most_ranks * PeerBox::most_blocks * sizeof(unsigned long long) <=
                PeerBox::head_bytes);

  int me, size;
  unsigned long long number;
  PeerBox box[most_ranks];
  unsigned first[most_ranks + 1]; ///< element of each rank's part, and the end of the last
};

/// Of a block. One element a thread is best (docs/lab/constants.md#shared).
inline constexpr unsigned gather_threads = 1024;

/// Completes `all`, of which this rank has its part. Blocks of one y send to one rank, and wait for
/// another one: the (y + 1)-th behind this rank, and the (y + 1)-th before it. So whoever is in the
/// lowest y finds its partner there or beyond.
template <class T>
__global__ __launch_bounds__(gather_threads) void gather_by_boxes(PeerGather g, T* all) {
  const int step = static_cast<int>(blockIdx.y) + 1;
  const int to = (g.me + step) % g.size, from = (g.me + g.size - step) % g.size;
  const unsigned begin = blockIdx.x * gather_threads + threadIdx.x;
  const unsigned stride = gridDim.x * gather_threads;
  T* const out = g.box[to].template area<T>(g.number);
  for (unsigned i = g.first[g.me] + begin; i < g.first[g.me + 1]; i += stride)
    out[i] = all[i];
  __threadfence_system(); // all of it is there before the number is
  __syncthreads();
  if (threadIdx.x == 0) {
    *g.box[to].number_of(g.me, blockIdx.x) = g.number;
    while (*g.box[g.me].number_of(from, blockIdx.x) < g.number) {
    }
    __threadfence_system();
  }
  __syncthreads();
  const T* const in = g.box[g.me].template area<T>(g.number);
  for (unsigned i = g.first[from] + begin; i < g.first[from + 1]; i += stride)
    all[i] = __ldcg(in + i);
}

/// The boxes of all ranks of a Comm, which keeps them.
class PeerBoxes {
public:
  /// None: nobody is reached.
  PeerBoxes() = default;
  /// Collective. Each rank has its box on its device, the current one: `devices` of all.
  PeerBoxes(const Comm& comm, const std::vector<std::uint64_t>& devices) : devices_(devices) {
    const auto device = static_cast<int>(devices[comm.rank()]);
    memory_.emplace(device);
    void* memory = nullptr;
    if (cudaMalloc(&memory, PeerBox::bytes) != cudaSuccess) (void)cudaGetLastError();
    mine_ = static_cast<std::byte*>(memory);
    const auto offers =
        offers_of(agree_and_tell(comm, "gather", std::array<Term, 0>{}, [&](Message& message) {
          if (memory != nullptr) {
            check_cuda(cudaMemset(memory, 0, PeerBox::head_bytes), "emptying the box");
            check_cuda(cudaDeviceSynchronize(), "waiting until the box is empty");
          }
          message = memory_->offer(comm, device, memory, false).message();
          return std::string();
        }));
    if (comm.size() > PeerGather::most_ranks || !memory_->open(comm, offers).empty()) return;
    gather_.me = comm.rank();
    gather_.size = comm.size();
    for (int rank = 0; rank < comm.size(); ++rank)
      gather_.box[rank].memory = rank == comm.rank() ? mine_ : memory_->data(rank, offers[rank]);
    check_cuda(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "making an event");
    reach_ = true;
  }
  PeerBoxes(const PeerBoxes&) = delete;
  PeerBoxes& operator=(const PeerBoxes&) = delete;
  ~PeerBoxes() {
    if (done_ != nullptr) {
      (void)cudaEventSynchronize(done_);
      (void)cudaEventDestroy(done_);
    }
    memory_.reset();
    (void)cudaFree(mine_);
  }

  /// Those of comm; made by the first call, which is collective.
  static PeerBoxes& of(const Comm& comm, const std::vector<std::uint64_t>& devices) {
    return comm.kept<PeerBoxes>([&] { return std::make_shared<PeerBoxes>(comm, devices); });
  }

  /// Completes all[0 ... parts.total()) on every rank, of which rank r has written part r;
  /// asynchronous on stream. `devices` are those of this call. Returns false, on all ranks alike,
  /// where they do not reach each other or a box is too small.
  template <class T>
  bool gather(const Comm& comm, const std::vector<std::uint64_t>& devices, T* all,
              const Blocks& parts, cudaStream_t stream) {
    if (!reach_ || devices != devices_ || parts.total() > PeerBox::area_bytes / sizeof(T))
      return false;
    ++gather_.number;
    std::size_t most = 0; // of a part
    for (int rank = 0; rank < comm.size(); ++rank) {
      gather_.first[rank] = static_cast<unsigned>(parts.first(rank));
      most = std::max(most, parts.count(rank));
    }
    gather_.first[comm.size()] = static_cast<unsigned>(parts.total());
    const auto blocks =
        static_cast<unsigned>(std::clamp(ado::detail::ceil_div(most, std::size_t{gather_threads}),
                                         std::size_t{1}, std::size_t{PeerBox::most_blocks}));
    check_cuda(cudaStreamWaitEvent(stream, done_, 0), "waiting for the gather before");
    const dim3 grid(blocks, static_cast<unsigned>(comm.size() - 1));
    gather_by_boxes<<<grid, gather_threads, 0, stream>>>(gather_, all);
    check_cuda(cudaGetLastError(), "CUDA kernel gather_by_boxes");
    check_cuda(cudaEventRecord(done_, stream), "marking the end of a gather");
    return true;
  }

private:
  std::vector<std::uint64_t> devices_;
  std::optional<PeerMemory> memory_; ///< of the others' boxes
  std::byte* mine_ = nullptr;
  PeerGather gather_{}; ///< the last one; its number is the same on all ranks
  bool reach_ = false;
  cudaEvent_t done_ = nullptr; ///< the end of the last one
};

} // namespace ado::distributed::detail
