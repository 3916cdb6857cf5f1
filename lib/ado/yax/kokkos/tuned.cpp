// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, tuned: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: tiles of a, some rows by a piece of the columns. device: 1, 4, 16 or 32
//             neighbouring lanes share a row, depending on its length; a whole team takes a long
//             row. host: a team is one thread, and its lanes are a SIMD register. The team that
//             ends last adds the sums of the tiles; of large matrices, and on a host, a second
//             kernel of one team does
//   scratch   one number per warp, for sums over threads, per thread on a GPU without shuffles;
//             workspace: one number per tile
//   bytes     reads a once, x once a row (from cache), y once
//   needs     workspace of yax_workspace_bytes()
//   teaches   against `row_per_thread`: loads of lanes along a row are coalesced. One sum per tile,
//             added in the order of the tiles, gives the same bits on every run; there are no
//             floating-point atomics
#include <ado/portable/variant.hpp>
#include <ado/yax/rounding.hpp>
#include <ado/yax/yax.hpp>

namespace ado::bench {

struct YaxTunedVariant {
  static constexpr std::string_view algorithm = "yax", name = "tuned";
  static constexpr std::string_view summary = "a team a tile, lanes along rows, sums in two steps";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const auto tiles =
          yax_tiles(runs_on_host<Exec>, call.shape[0], call.shape[1], sizeof(T)); // a is row-major
      Workspace<Exec> workspace(call.workspace, yax_bytes(tiles, sizeof(T)), ZeroCounter{});
      yax(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T**>(call, 1),
          view_of<Exec, const T*>(call, 2), view_of<Exec, T>(call, 3), workspace);
    });
  }
  /// As a program's Workspace is after its first call.
  template <class Exec>
  static void prepare(const Exec& exec, const Call& call) {
    Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
    workspace.template counted<char>(exec);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_workspace_bytes(s[0], s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(
        type, [&](auto zero) { return yax_tuned_steps<Exec, decltype(zero)>(s[0], s[1]); });
  }
};
const PortableVariant<YaxTunedVariant> yax_tuned_registered{__FILE__};

} // namespace ado::bench
