// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, openmp, team: mean[n][l] = (sum over m of v[n][l][m]) / M, by hand for CPUs
//   mapping   threads share the (n, l) vectors, or pieces of them if vectors are few and long; SIMD
//             lanes side by side in m
//   scratch   a register of partial sums for each of four rows, the means of a block of rows;
//             workspace: one number per piece
//   bytes     reads v once, writes mean once, past the caches where it is large
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/average/openmp.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

struct Team {
  static constexpr std::string_view algorithm = "average", name = "team";
  static constexpr std::string_view summary = "by hand: parallel for over vectors, SIMD along m";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    const Array &v = call.arrays[0], &mean = call.arrays[1];
    openmp_average(v, mean.as<T>(), mean.stride[0], static_cast<T*>(call.workspace),
                   call.queue.threads, rows_of_all(call));
  }
  static double rounding_steps(const Shape& s, Type type) { return openmp_average_steps(s, type); }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return openmp_average_pieces(s, type).sums() * size_of(type);
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench
