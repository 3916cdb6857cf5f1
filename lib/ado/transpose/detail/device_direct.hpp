// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of small matrices on a GPU, without scratch: such a kernel takes as long as its start,
// and a kernel that needs a team starts later.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace ado::detail::device_tile {

/// A thread moves `each` neighbouring elements of a row of a, and has all loads in flight before
/// the first store. A warp has 2^high_bits rows, usually 8 of 4 threads: each of its loads meets 8
/// lines of a, each of its stores 4 of b. A multiprocessor looks up these lines one by one, so more
/// rows are slower (docs/lab/constants.md#transpose).
template <class E>
struct TransposeDirect {
  static constexpr unsigned each = 2, warp = 32;

  Matrices<E> m;
  unsigned high_bits; ///< a warp has 2^high_bits rows
  unsigned down;      ///< warps below each other

  static TransposeDirect for_matrices(const Matrices<E>& m) {
    const std::size_t parts = ceil_div(m.columns, std::size_t{each});
    const std::size_t wide = std::bit_ceil(std::min(parts, std::size_t{4}));
    const std::size_t high = std::min(warp / wide, std::bit_ceil(m.rows));
    return {m, static_cast<unsigned>(std::countr_zero(high)),
            static_cast<unsigned>(ceil_div(m.rows, high))};
  }
  std::size_t threads() const {
    return warp * down * ceil_div(m.columns, std::size_t{(warp >> high_bits) * each});
  }

  KOKKOS_FUNCTION void operator()(int index) const {
    const auto thread = static_cast<unsigned>(index);
    const unsigned lane = thread % warp, below = lane & ((1u << high_bits) - 1);
    const unsigned right = thread / warp / down;
    const unsigned i = ((thread / warp - right * down) << high_bits) + below;
    const unsigned j = (right * (warp >> high_bits) + (lane >> high_bits)) * each;
    if (i >= m.rows) return;
    const E* const from = m.a + i * m.lda + j;
    E* const to = m.b + j * m.ldb + i;
    E element[each];
    ADO_UNROLL
    for (unsigned k = 0; k < each; ++k)
      if (j + k < m.columns) element[k] = from[k];
    ADO_UNROLL
    for (unsigned k = 0; k < each; ++k)
      if (j + k < m.columns) to[k * m.ldb] = element[k];
  }
};

/// Launches TransposeDirect; asynchronous on `exec`. m: is_small().
template <class Exec, class E>
void launch_direct(const Exec& exec, const Matrices<E>& m) {
  using Range =
      Kokkos::RangePolicy<Exec, Kokkos::LaunchBounds<device_team_threads>, Kokkos::IndexType<int>>;
  const auto direct = TransposeDirect<E>::for_matrices(m);
  Kokkos::parallel_for("ado::transpose[tuned]", Range(exec, 0, static_cast<int>(direct.threads())),
                       direct);
}

} // namespace ado::detail::device_tile
