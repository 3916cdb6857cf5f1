// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/cuda_check.hpp>
#include <ado/harness/cuda_copies.hpp>

namespace ado {
namespace {

cudaStream_t stream_of(const Queue& on) { return static_cast<cudaStream_t>(on.stream); }

} // namespace

void cuda_copy_in(const Queue& on, void* device, const void* host, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_of(on)),
             "copying to the device");
}

void cuda_copy_out(const Queue& on, void* host, std::size_t pitch, const void* device,
                   std::size_t bytes, std::size_t rows) {
  constexpr auto most_pitch = std::size_t{1} << 31; // CUDA refuses rows that begin further apart
  if (rows > 1 && pitch < most_pitch) {
    check_cuda(cudaMemcpy2DAsync(host, pitch, device, bytes, bytes, rows, cudaMemcpyDeviceToHost,
                                 stream_of(on)),
               "copying rows to the host");
    return;
  }
  for (std::size_t row = 0; row < rows; ++row)
    check_cuda(cudaMemcpyAsync(static_cast<std::byte*>(host) + row * pitch,
                               static_cast<const std::byte*>(device) + row * bytes, bytes,
                               cudaMemcpyDeviceToHost, stream_of(on)),
               "copying to the host");
}

void cuda_fence(const Queue& on) {
  check_cuda(cudaStreamSynchronize(stream_of(on)), "waiting for a stream");
}

} // namespace ado
