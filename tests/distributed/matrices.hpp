// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices whose elements reveal their place, and their surroundings.
#pragma once

#include "ranks.hpp"
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>

#include <Kokkos_Complex.hpp>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace ado::distributed::test {

/// Element (i, j) of the whole matrix: in a small matrix all differ. `salt` makes another matrix.
template <class T>
T element(std::size_t i, std::size_t j, std::size_t salt = 0) {
  std::uint64_t hash =
      (i * 0x9e3779b97f4a7c15u) ^ (j * 0xc2b2ae3d27d4eb4fu) ^ (salt * 0xd6e8feb86659fd93u);
  hash ^= hash >> 29;
  if constexpr (std::is_same_v<T, Kokkos::complex<double>>)
    return {double(hash >> 12), double(i) - double(j)};
  else
    return static_cast<T>(hash >> 11);
}

/// A matrix with `gap` foreign elements after each row or column, and its mirror on the host.
template <class T, class Layout, class Space = Kokkos::DefaultExecutionSpace>
struct Matrix {
  Kokkos::View<T**, Layout, Space> all;
  typename Kokkos::View<T**, Layout, Space>::host_mirror_type host;
  std::size_t rows, columns;

  Matrix(std::size_t r, std::size_t c, std::size_t gap)
      : all("matrix", r + (by_rows ? 0 : gap), c + (by_rows ? gap : 0)),
        // The mirror is of the whole: Kokkos 4.7 gets an empty part wrong.
        host(Kokkos::create_mirror(all)),
        rows(r),
        columns(c) {}
  auto view() const {
    using Range = std::pair<std::size_t, std::size_t>;
    return Kokkos::subview(all, Range(0, rows), Range(0, columns));
  }
  /// Sets all elements to value(i, j), including those in gaps.
  template <class Value>
  void fill(const Value& value) const {
    for (std::size_t i = 0; i < host.extent(0); ++i)
      for (std::size_t j = 0; j < host.extent(1); ++j)
        host(i, j) = value(i, j);
    Kokkos::deep_copy(all, host);
  }
  /// Counts elements that differ from value(i, j), including those in gaps.
  template <class Value>
  std::size_t count_wrong(const Value& value) const {
    Kokkos::deep_copy(host, all);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < host.extent(0); ++i)
      for (std::size_t j = 0; j < host.extent(1); ++j)
        wrong += host(i, j) == value(i, j) ? 0 : 1;
    return wrong;
  }

private:
  static constexpr bool by_rows = std::is_same_v<Layout, Kokkos::LayoutRight>;
};

/// Lets `call(a, b)` transpose this rank's part of a made matrix, and checks all of b.
template <class T, class LayoutA, class LayoutB, class Space = Kokkos::DefaultExecutionSpace,
          class Call>
void transposes(const Comm& comm, Failures& failures, const std::string& what, const Blocks& rows,
                const Blocks& columns, std::size_t gap_a, std::size_t gap_b, const Call& call) {
  const int me = comm.rank();
  const Matrix<T, LayoutA> a(rows.count(me), columns.total(), gap_a);
  const Matrix<T, LayoutB, Space> b(columns.count(me), rows.total(), gap_b);
  const auto untouched = static_cast<T>(91);
  a.fill([&](std::size_t i, std::size_t j) { return element<T>(rows.first(me) + i, j); });
  b.fill([&](std::size_t, std::size_t) { return untouched; });
  call(a.view(), b.view());
  const std::size_t wrong = b.count_wrong([&](std::size_t j, std::size_t i) {
    return j < b.rows && i < b.columns ? element<T>(i, columns.first(me) + j) : untouched;
  });
  failures.expect(wrong == 0, what + ", " + std::to_string(rows.total()) + " x " +
                                  std::to_string(columns.total()) + ", " +
                                  std::to_string(sizeof(T)) + " bytes: " + std::to_string(wrong) +
                                  " wrong elements");
}

} // namespace ado::distributed::test
