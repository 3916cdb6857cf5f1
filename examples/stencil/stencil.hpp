// What the variants share: the arrays and the formula.
#pragma once

#include <ado/bench/bench.hpp>

/// w = the sum of the six neighbours of u, less six times u; on the boundary w = u. Arrays of planes x rows x columns,
/// contiguous; only `packs` takes them with gaps between rows.
template <class T>
struct Grid {
  std::size_t planes, rows, columns;
  const T* u;
  T* w;

  explicit Grid(const ado::Call& call)
      : planes(call.shape[0]),
        rows(call.shape[1]),
        columns(call.shape[2]),
        u(call.arrays[0].as<const T>()),
        w(call.arrays[1].as<T>()) {}
};

/// Names of a variant; the struct that inherits them adds `name`, `summary` and run.
struct StencilVariant {
  static constexpr std::string_view algorithm = "stencil";
  static constexpr ado::TypeSet types = ado::real_types;
  /// Six additions and a product, whatever their order.
  static double rounding_steps(const ado::Shape&, ado::Type) { return 7; }
};
