// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, exercise_waits:
// result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c]). Lesson 9
//   mapping   the host prepares a chunk, copies it in, launches the kernel, copies the results out,
//             and waits after each step
//   scratch   one chunk and its results on the device, one chunk on the host
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   teaches   which waits a stream of chunks needs, and what the host could do meanwhile
// Your part: drop the fences that nobody needs, then prepare the next chunk while the kernel runs.
//   hint 1    copy_out_and_wait begins when everything before it is done. Which fence does that
//             make needless?
//   hint 2    compute returns at once on a GPU. Which is the first line that has to wait for it? On
//             a CPU compute returns when the kernel has ended, so a missing wait shows only on a
//             GPU
//   hint 3    the host's buffer is free again as soon as copy_in_and_wait returns: prepare(c + 1,
//             ...) may follow
//   hint 4    the first chunk has to be prepared before the loop, and after the last chunk there is
//             none to prepare
#include <ado/pipeline/kokkos/steps.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct ExerciseWaits : PipelineRung {
  static constexpr std::string_view name = "exercise_waits";
  static constexpr std::string_view summary = "lesson 9: wait less";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const PipelineSteps<Exec, T> steps(exec, call, name);
      const PipelineSlot<T> device = steps.device(0);
      T* const staging = static_cast<T*>(call.staging);
      const std::size_t chunks = steps.stream.chunks;
      // yours: begin
      for (std::size_t c = 0; c < chunks; ++c) {
        steps.prepare(c, staging);
        Kokkos::fence("prepared");
        steps.copy_in_and_wait(exec, c, device.prepared, staging);
        Kokkos::fence("copied in");
        steps.compute(exec, c, device.prepared, device.results);
        Kokkos::fence("computed");
        steps.copy_out_and_wait(exec, c, steps.stream.result_of(c), device.results);
        Kokkos::fence("copied out");
      }
      // yours: end
    });
  }
};
const PortableVariant<ExerciseWaits> exercise_waits{__FILE__};

} // namespace ado::bench
