// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, openmp, exercise_loop_order: mean[n][l] = (sum over m of v[n][l][m]) / M. Lesson 11;
// runs without a GPU
//   mapping   one thread; m is the outer loop, as one may read the formula
//   bytes     each read of v touches another cache line. By the time its neighbour is read, the
//             line is gone if M is a power of two, and still there if it is not
//   teaches   the order of two loops decides how much of a cache line is used; several sums side by
//             side do not wait for each other; then all cores may help
// Your part: first the order, then the chain of additions, then the threads.
//   hint 1    which index of v is the fastest, so that neighbours lie side by side? It belongs in
//             the innermost loop
//   hint 2    then the sum is a variable of its own, and mean is written once
//   hint 3    each addition waits for the one before. Eight sums, each of every eighth element, do
//             not
//   hint 4    #pragma omp parallel for num_threads(call.queue.threads) over n: no two threads share
//             a mean
#include <ado/host/variant.hpp>
#include <ado/registry/array.hpp>

namespace ado::bench {
namespace {

struct ExerciseLoopOrder {
  static constexpr std::string_view algorithm = "average", name = "exercise_loop_order";
  static constexpr std::string_view summary =
      "lesson 11: the order of loops, the chain, then threads";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    const Array& v = call.arrays[0];
    const std::size_t sets = v.extent[0], length = v.extent[1], count = v.extent[2];
    const auto vector = [&](std::size_t n, std::size_t l) {
      return v.as<const T>() + n * v.stride[0] + l * v.stride[1];
    };
    T* const mean = call.arrays[1].as<T>();
    const std::size_t stride = call.arrays[1].stride[0];
    // yours: begin
    for (std::size_t n = 0; n < sets; ++n) {
      for (std::size_t l = 0; l < length; ++l)
        mean[n * stride + l] = 0;
      for (std::size_t m = 0; m < count; ++m)
        for (std::size_t l = 0; l < length; ++l)
          mean[n * stride + l] += vector(n, l)[m];
      for (std::size_t l = 0; l < length; ++l)
        mean[n * stride + l] /= static_cast<T>(count);
    }
    // yours: end
  }
  static double rounding_steps(const Shape& s, Type) {
    return double(s[2]) + 1; // a chain of M additions, one division
  }
};
const HostVariant<ExerciseLoopOrder> registered{__FILE__};

} // namespace
} // namespace ado::bench
