// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queues of a transpose that writes into other ranks' memory: one packs, one sends the packed
// blocks, one has the rank's own block.
#pragma once

#include <ado/distributed/comm.hpp>
#include <ado/distributed/peer_memory.hpp>
#include <ado/distributed/peer_plan.hpp>

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace ado::distributed::detail {

/// Made once, for the current device. Packing goes before the own block where both want the GPU,
/// since the link waits for it.
class PeerStreams {
public:
  PeerStreams() {
    int lowest = 0, highest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "asking for priorities");
    for (cudaStream_t* const stream : {&packing, &sending})
      check_cuda(cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, highest),
                 "making a stream");
    check_cuda(cudaStreamCreateWithPriority(&own, cudaStreamNonBlocking, lowest),
               "making a stream");
    for (auto* const events : {&packed_, &sent_})
      for (cudaEvent_t& event : *events)
        check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
  }
  PeerStreams(const PeerStreams&) = delete;
  PeerStreams& operator=(const PeerStreams&) = delete;
  ~PeerStreams() {
    for (auto* const events : {&packed_, &sent_})
      for (const cudaEvent_t event : *events)
        (void)cudaEventDestroy(event);
    for (const cudaStream_t stream : {packing, sending, own})
      (void)cudaStreamDestroy(stream);
  }

  cudaStream_t packing = nullptr, sending = nullptr, own = nullptr;

  /// What is packed from now on waits until what was sent last from this buffer has left it.
  void wait_for_buffer(std::size_t buffer) {
    check_cuda(cudaStreamWaitEvent(packing, sent_[buffer], 0), "waiting for a buffer");
  }
  /// What is sent from now on waits for what has been packed so far, in this buffer.
  void packed_into(std::size_t buffer) {
    check_cuda(cudaEventRecord(packed_[buffer], packing), "marking what is packed");
    check_cuda(cudaStreamWaitEvent(sending, packed_[buffer], 0), "waiting for what is packed");
  }
  /// Notes that what has been sent so far empties this buffer.
  void sent_from(std::size_t buffer) {
    check_cuda(cudaEventRecord(sent_[buffer], sending), "marking what is sent");
  }
  /// Waits for all that was launched, then for all other ranks: what they write here is complete
  /// then, too.
  void finish(const Comm& comm) {
    for (const cudaStream_t stream : {packing, sending, own})
      check_cuda(cudaStreamSynchronize(stream), "waiting for what is sent");
    check_mpi(MPI_Barrier(comm.mpi()), "MPI_Barrier");
  }

private:
  std::array<cudaEvent_t, slab_buffers> packed_{}, sent_{};
};

/// Copies `rows` rows of `bytes` bytes by a copy engine; asynchronous on stream. CUDA takes no
/// distance of 2 GiB or more between rows.
inline void send_rows(std::byte* to, std::size_t to_stride, const std::byte* from,
                      std::size_t from_stride, std::size_t bytes, std::size_t rows,
                      cudaStream_t stream) {
  constexpr std::size_t most_stride = (std::size_t{1} << 31) - 1;
  const bool one_piece = rows == 1 || (to_stride == bytes && from_stride == bytes);
  if (one_piece)
    return check_cuda(cudaMemcpyAsync(to, from, rows * bytes, cudaMemcpyDefault, stream),
                      "sending a block");
  if (to_stride <= most_stride && from_stride <= most_stride)
    return check_cuda(
        cudaMemcpy2DAsync(to, to_stride, from, from_stride, bytes, rows, cudaMemcpyDefault, stream),
        "sending rows");
  for (std::size_t row = 0; row < rows; ++row)
    check_cuda(cudaMemcpyAsync(to + row * to_stride, from + row * from_stride, bytes,
                               cudaMemcpyDefault, stream),
               "sending a row");
}

} // namespace ado::distributed::detail
