// What the variants share: the arrays and the formula.
#pragma once

#include <ado/bench/bench.hpp>

namespace stencil {

/// w = the sum of the six neighbours of u, minus six times u; on the boundary w = u. Contiguous
/// arrays of planes x rows x columns; only `packs` accepts gaps between rows.
template <class T>
struct Grid {
  std::size_t planes, rows, columns;
  const T* u;
  T* w;

  explicit Grid(const ado::bench::Call& call)
      : planes(call.shape[0]),
        rows(call.shape[1]),
        columns(call.shape[2]),
        u(call.arrays[0].as<const T>()),
        w(call.arrays[1].as<T>()) {}
};

/// Names common to the variants; a derived struct adds `name`, `summary` and run.
struct StencilVariant {
  static constexpr std::string_view algorithm = "stencil";
  static constexpr ado::bench::TypeSet types = ado::bench::real_types;
  /// Six additions and a product, in any order.
  static double rounding_steps(const ado::bench::Shape&, ado::bench::Type) { return 7; }
};

} // namespace stencil
