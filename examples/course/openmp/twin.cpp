// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, openmp, exercise_twin: c[i] = a[i] + b[i]. Lesson 12; runs without a GPU
//   mapping   yours
//   bytes     reads a and b once, writes c once; as it stands, nothing
//   teaches   a ratio compares two programs of one idea: write the twin, and the table judges
//             Kokkos
// Your part: the hand-written OpenMP twin of ../twin_portable.cpp.
//   hint 1    a loop over i with #pragma omp parallel for; there are call.shape[0] elements, as in
//             the twin
//   hint 2    take as many threads as Kokkos has: num_threads(call.queue.threads)
//   hint 3    compare fairly: schedule(static), like Kokkos
#include <ado/host/variant.hpp>
#include <ado/vector_add/variant.hpp>

namespace ado::bench {
namespace {

struct ExerciseTwin : VectorAddVariant {
  static constexpr std::string_view name = "exercise_twin";
  static constexpr std::string_view summary = "lesson 12: the twin by hand";
  static constexpr Model model = Model::openmp;

  static void run(const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      [[maybe_unused]] const T *a = call.arrays[0].as<const T>(), *b = call.arrays[1].as<const T>();
      [[maybe_unused]] T* c = call.arrays[2].as<T>();
      // yours: begin
      // yours: end
    });
  }
};
const HostVariant<ExerciseTwin> registered{__FILE__};

} // namespace
} // namespace ado::bench
