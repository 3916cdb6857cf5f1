// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, malloc_in_loop: result[c][j] = sum over i in the j-th 16 of
// f(raw[c][i] * gain[c])
//   mapping   as explicit_sync, and the device's buffers are Views made for each chunk
//   scratch   one chunk on the host, from the caller; one chunk and its results on the device, its
//             own
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a team size that fits; on a host a team is one thread
//   teaches   what it costs to allocate in the body of a loop, as first versions of programs do:
//             device memory comes from the driver, which stops everything for it; on a host the
//             system hands out pages one by one, when they are first touched
#include <ado/core/error.hpp>
#include <ado/pipeline/kokkos/steps.hpp>
#include <ado/portable/variant.hpp>

#include <stdexcept>
#include <string>

namespace ado::bench {

struct PipelineMallocInLoop : PipelineRung {
  static constexpr std::string_view name = "malloc_in_loop";
  static constexpr std::string_view summary = "allocates and frees device memory for each chunk";

  static std::size_t workspace_bytes(const Shape&, Type) { return 0; }

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const PipelineSteps<Exec, T> steps(exec, call, name);
      for (std::size_t c = 0; c < steps.stream.chunks; ++c)
        run_chunk(exec, steps, c, static_cast<T*>(call.staging));
    });
  }

private:
  template <class Exec, class T>
  static void run_chunk(const Exec& exec, const PipelineSteps<Exec, T>& steps, std::size_t c,
                        T* staging) {
    using Buffer = Kokkos::View<T*, typename Exec::memory_space>;
    const auto allocated = [&](const std::string& label, std::size_t count) {
      const StageScope timed = steps.scope(Stage::allocate, c);
      try {
        return Buffer(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), count);
      } catch (const std::runtime_error&) {
        throw OutOfMemory(label, count * sizeof(T));
      }
    };
    steps.prepare(c, staging);
    Buffer prepared = allocated("ado::pipeline::prepared", steps.stream.elements);
    Buffer results = allocated("ado::pipeline::results", steps.stream.results);
    steps.copy_in_and_wait(exec, c, prepared.data(), staging);
    Kokkos::fence("ado::pipeline: copied in");
    steps.compute(exec, c, prepared.data(), results.data());
    Kokkos::fence("ado::pipeline: computed");
    steps.copy_out_and_wait(exec, c, steps.stream.result_of(c), results.data());
    Kokkos::fence("ado::pipeline: copied out");
    const StageScope timed = steps.scope(Stage::allocate, c);
    prepared = results = Buffer();
  }
};
const PortableVariant<PipelineMallocInLoop> pipeline_malloc_in_loop_registered{__FILE__};

} // namespace ado::bench
