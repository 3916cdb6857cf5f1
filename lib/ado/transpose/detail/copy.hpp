// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix copied row by row: what a transpose between the two layouts comes to.
//   mapping   host: one work item per piece of a row; device: one per element, in tiles of 8 x 32,
//             so that a warp copies neighbouring elements
//   scratch   none
//   bytes     reads once, writes once
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/host_tasks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ado::detail {

/// Bytes of a row that one host work item copies: enough to be cheap to start, few enough that a
/// matrix of one row still keeps every core busy.
inline constexpr std::size_t copy_piece_bytes = std::size_t{64} * 1024;

template <class E>
struct CopyPieces {
  MatrixRef<const E> from;
  MatrixRef<E> to;
  std::size_t pieces; ///< of a row

  void operator()(std::int64_t index) const {
    constexpr std::size_t piece = copy_piece_bytes / sizeof(E);
    const std::size_t row = index / pieces, first = index % pieces * piece;
    const std::size_t count = from.columns - first < piece ? from.columns - first : piece;
    std::memcpy(to.data + row * to.ld + first, from.data + row * from.ld + first,
                count * sizeof(E));
  }
};

template <class E>
struct CopyElements {
  MatrixRef<const E> from;
  MatrixRef<E> to;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    to.data[i * to.ld + j] = from.data[i * from.ld + j];
  }
};

/// Launches the copy between two row-major matrices of one shape; asynchronous on `exec`. Not
/// Kokkos::deep_copy: on a host it copies rows with gaps element by element
/// (docs/lab/constants.md#transpose).
template <class Exec, class E>
void copy_rows(const Exec& exec, MatrixRef<const E> from, MatrixRef<E> to) {
  if (from.rows == 0 || from.columns == 0) return;
  const char* label = "ado::transpose::copy";
  if constexpr (runs_on_host<Exec>) {
    if (from.ld == from.columns && to.ld == to.columns) { // one long row
      from.columns = to.columns = from.rows * from.columns;
      from.rows = to.rows = 1;
    }
    const std::size_t pieces = ceil_div(from.columns * sizeof(E), copy_piece_bytes);
    host_tasks(label, exec, from.rows * pieces, CopyPieces<E>{from, to, pieces});
  } else {
    using Range =
        Kokkos::MDRangePolicy<Exec, Kokkos::IndexType<std::int64_t>,
                              Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;
    const auto rows = static_cast<std::int64_t>(from.rows);
    const auto columns = static_cast<std::int64_t>(from.columns);
    Kokkos::parallel_for(label, Range(exec, {0, 0}, {rows, columns}, {8, 32}),
                         CopyElements<E>{from, to});
  }
}

} // namespace ado::detail
