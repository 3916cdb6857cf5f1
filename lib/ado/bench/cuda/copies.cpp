// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cuda/check.hpp>
#include <ado/bench/cuda/copies.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

cudaStream_t stream_of(const Queue& on) { return static_cast<cudaStream_t>(on.stream); }

void copy_rows(const Queue& on, void* to, std::size_t to_pitch, const void* from,
               std::size_t from_pitch, std::size_t bytes, std::size_t rows, cudaMemcpyKind kind,
               const char* what) {
  constexpr auto most_pitch = std::size_t{1} << 31; // CUDA refuses rows further apart
  if (rows > 1 && std::max(to_pitch, from_pitch) < most_pitch) {
    check_cuda(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, rows, kind, stream_of(on)),
               what);
    return;
  }
  for (std::size_t row = 0; row < rows; ++row)
    check_cuda(cudaMemcpyAsync(static_cast<std::byte*>(to) + row * to_pitch,
                               static_cast<const std::byte*>(from) + row * from_pitch, bytes, kind,
                               stream_of(on)),
               what);
}

} // namespace

void cuda_copy_in(const Queue& on, void* device, const void* host, std::size_t pitch,
                  std::size_t bytes, std::size_t rows) {
  copy_rows(on, device, bytes, host, pitch, bytes, rows, cudaMemcpyHostToDevice,
            "copying to the device");
}

void cuda_copy_out(const Queue& on, void* host, std::size_t pitch, const void* device,
                   std::size_t bytes, std::size_t rows) {
  copy_rows(on, host, pitch, device, bytes, bytes, rows, cudaMemcpyDeviceToHost,
            "copying to the host");
}

void cuda_fence(const Queue& on) {
  check_cuda(cudaStreamSynchronize(stream_of(on)), "waiting for a stream");
}

} // namespace ado::bench
