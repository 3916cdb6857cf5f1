// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, malloc_in_loop: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   as explicit_sync, and the device's buffers are allocated for each chunk
//   scratch   one chunk on the host, from the caller; one chunk and its results on the device, its
//             own
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a block size that fits
//   teaches   what a loop costs that allocates in its body, as first versions of programs do:
//             device memory is had from the driver, which stops everything for it
#include <ado/core/error.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/steps.cuh>

namespace ado::bench::native {
namespace {

/// Device memory for `count` numbers, given back when it goes. Throws OutOfMemory.
template <class T>
class Buffer {
public:
  explicit Buffer(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > 0 && cudaMalloc(&memory_, bytes) != cudaSuccess) {
      cudaGetLastError(); // the throw reports it; the next caller must not find it again
      throw OutOfMemory("a buffer of pipeline[malloc_in_loop]", bytes);
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { free(); }

  T* data() const { return static_cast<T*>(memory_); }
  void free() {
    static_cast<void>(cudaFree(memory_)); // of null: nothing
    memory_ = nullptr;
  }

private:
  void* memory_ = nullptr;
};

struct MallocInLoop : PipelineRung {
  static constexpr std::string_view name = "malloc_in_loop";
  static constexpr std::string_view summary = "allocates and frees device memory for each chunk";

  template <class T>
  static std::size_t workspace_bytes(const Shape&) {
    return 0;
  }

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const PipelineSteps<T> steps(call, "pipeline_malloc_in_loop");
    for (std::size_t c = 0; c < steps.chunks.chunks; ++c)
      run_chunk(steps, stream, c, static_cast<T*>(call.staging));
  }

private:
  template <class T>
  static void run_chunk(const PipelineSteps<T>& steps, cudaStream_t stream, std::size_t c,
                        T* staging) {
    const auto allocated = [&](std::size_t count) {
      const StageScope timed = steps.scope(Stage::allocate, c);
      return Buffer<T>(count);
    };
    steps.prepare(c, staging);
    Buffer<T> prepared = allocated(steps.chunks.elements);
    Buffer<T> results = allocated(steps.chunks.results);
    steps.copy_in_and_wait(stream, c, prepared.data(), staging);
    check(cudaDeviceSynchronize(), "waiting for a chunk");
    steps.compute(stream, c, prepared.data(), results.data());
    check(cudaDeviceSynchronize(), "waiting for a kernel");
    steps.copy_out_and_wait(stream, c, steps.chunks.result_of(c), results.data());
    check(cudaDeviceSynchronize(), "waiting for results");
    const StageScope timed = steps.scope(Stage::allocate, c);
    prepared.free();
    results.free();
  }
};
const CudaVariant<MallocInLoop> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
