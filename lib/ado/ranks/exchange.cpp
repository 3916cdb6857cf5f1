// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/ranks/exchange.hpp>

#include <Kokkos_Macros.hpp>

#include <utility>

#ifdef KOKKOS_ENABLE_CUDA
#include <ado/distributed/agree.hpp>
#include <ado/distributed/peer_memory.hpp>

#include <memory>
#include <vector>
#endif

namespace ado::bench {

#ifdef KOKKOS_ENABLE_CUDA
namespace {

using namespace distributed::detail;

/// The other ranks' memory and one stream per peer, all on one device.
class Copies {
public:
  Copies(const distributed::Comm& comm, int device, void* memory, std::size_t bytes)
      : comm_(comm), peers_(device), bytes_(bytes), memory_(static_cast<std::byte*>(memory)) {
    const std::array<Term, 0> nothing{};
    for (const Message& message : agree_and_tell(comm, "exchange", nothing, [&](Message& mine) {
           mine = peers_.offer(comm, device, memory, false).message();
           return std::string();
         }))
      offers_.push_back(Offer::of(message));
    why_not_ = peers_.open(comm, offers_);
    for (int rank = 1; rank < comm.size(); ++rank) {
      streams_.emplace_back();
      check_cuda(cudaStreamCreate(&streams_.back()), "cudaStreamCreate");
    }
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    for (cudaStream_t stream : streams_)
      static_cast<void>(cudaStreamDestroy(stream));
  }

  bool reach() const { return why_not_.empty(); }
  void copy() const {
    const int size = comm_.size(), me = comm_.rank();
    for (int step = 1; step < size; ++step) {
      const int rank = (me + step) % size;
      const auto to = static_cast<std::size_t>(rank);
      check_cuda(cudaMemcpyAsync(peers_.data(rank, offers_[to]) + me * bytes_,
                                 memory_ + size * bytes_, bytes_, cudaMemcpyDefault,
                                 streams_[static_cast<std::size_t>(step - 1)]),
                 "cudaMemcpyAsync");
    }
    for (cudaStream_t stream : streams_)
      check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }

private:
  const distributed::Comm& comm_;
  PeerMemory peers_;
  std::size_t bytes_;
  std::byte* memory_;
  std::vector<Offer> offers_;
  std::string why_not_;
  std::vector<cudaStream_t> streams_;
};

} // namespace

std::function<void()> copies_to_peers(const distributed::Comm& comm, Device& device, void* memory,
                                      std::size_t bytes) {
  if (device.on_host) return {};
  int current = 0;
  check_cuda(cudaGetDevice(&current), "cudaGetDevice");
  auto copies = std::make_shared<Copies>(comm, current, memory, bytes);
  if (!copies->reach()) return {};
  return [copies] { copies->copy(); };
}
#else
std::function<void()> copies_to_peers(const distributed::Comm&, Device&, void*, std::size_t) {
  return {};
}
#endif

} // namespace ado::bench
