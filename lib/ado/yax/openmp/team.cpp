// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, openmp, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j], by hand for CPUs
//   mapping   threads share blocks of rows, or pieces of rows if rows are few and long; SIMD lanes
//             side by side in a row
//   scratch   a register of partial sums for each of four rows, the sums of a block of rows;
//             workspace: one number per block of rows, or per piece
//   bytes     reads a once, x once for four rows (from cache), y once
//   teaches   what one writes without Kokkos: the twin that `team` is measured against;
//             not an OpenMP reduction, whose order of summation changes with the thread count
#include <ado/host/variant.hpp>
#include <ado/yax/openmp/sums.hpp>

namespace ado::bench {
namespace {

struct Team {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary =
      "by hand: parallel for over blocks of rows, SIMD along rows";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const Array& result = call.arrays[3];
    *result.as<T>() = yax_openmp(y.as<const T>(), a, x.as<const T>(),
                                 static_cast<T*>(call.workspace), call.queue.threads);
  }
  static double rounding_steps(const Shape& s, Type type) { return yax_openmp_steps(s, type); }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_openmp_numbers(s, type) * size_of(type);
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench
