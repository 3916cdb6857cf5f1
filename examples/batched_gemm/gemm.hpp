// What the variants share: the arrays and their names.
#pragma once

#include <ado/bench/bench.hpp>

namespace batched_gemm {

/// c[b] = a[b] * x[b]: `batch` products of order x order matrices, each contiguous and row-major.
template <class T>
struct Batch {
  std::size_t batch;
  unsigned order;
  const T *a, *x;
  T* c;

  explicit Batch(const ado::bench::Call& call)
      : batch(call.shape[0]),
        order(static_cast<unsigned>(call.shape[1])),
        a(call.arrays[0].as<const T>()),
        x(call.arrays[1].as<const T>()),
        c(call.arrays[2].as<T>()) {}
};

/// Largest order at which both matrices of a product fit into a team's scratch.
constexpr unsigned most_order = 32;

struct GemmVariant {
  static constexpr std::string_view algorithm = "batched_gemm";
  static constexpr ado::bench::TypeSet types = ado::bench::real_types;
  /// A product and an addition per term, in any order.
  static double rounding_steps(const ado::bench::Shape& s, ado::bench::Type) {
    return double(s[1]) + 1;
  }
};

} // namespace batched_gemm
