// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, openmp, team: b[j][i] = a[i][j], by hand for CPUs
//   mapping   threads share strips of a, a few rows walked along; blocks are transposed in SIMD registers
//   scratch   up to 270 KiB per thread on its stack: what waits for the rest of its cache line of b
//   bytes     reads a once, writes b once, bypassing the cache if b is large
//   shares    `kokkos/team` runs the same kernel on a CPU, so their ratio shows only the dispatch
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/host/variant.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/openmp/strips.hpp>

namespace ado {
namespace {

struct Team {
  static constexpr std::string_view algorithm = "transpose", name = "team";
  static constexpr std::string_view summary =
      "by hand: blocks in registers, whole lines past the cache";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "detail/host.hpp";
  static constexpr TypeSet types = all_types;

  static void run(const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      const Array &a = call.arrays[0], &b = call.arrays[1];
      transpose_strips(Matrices<E>{a.extent[0], a.extent[1], a.as<const E>(), a.stride[0],
                                   b.as<E>(), b.stride[0]},
                       call.queue.threads);
    });
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado
