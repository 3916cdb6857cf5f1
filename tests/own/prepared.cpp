// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that only prepare() launches, for as_cuda_test.py.
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {
namespace {

struct LaunchedByPrepare {
  KOKKOS_FUNCTION void operator()(int) const {}
};
struct Prepares {
  static constexpr std::string_view algorithm = "prepares", name = "team", summary = "";
  static constexpr TypeSet types = all_types;

  template <class Exec>
  static void prepare(const Exec& exec, const Call&) {
    Kokkos::parallel_for("prepare", Kokkos::RangePolicy<Exec>(exec, 0, 1), LaunchedByPrepare{});
  }
  template <class Exec>
  static void run(const Exec&, const Call&) {}
};
const PortableVariant<Prepares> registered{__FILE__};

} // namespace
} // namespace ado::bench
