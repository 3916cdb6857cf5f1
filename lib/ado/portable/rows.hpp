// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How rows that are summed up spread over the threads of an execution space.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail {

/// Lanes that share a row on a GPU: 1, 4, 16 or 32 of a thread, or those of a whole team. Each should
/// find at least four packs of 16 bytes in its row.
inline int device_lanes(std::size_t length, std::size_t element_bytes) {
  const std::size_t packs = length * element_bytes / 16;
  return packs < 16     ? 1
         : packs < 64   ? 4
         : packs < 256  ? 16
         : packs < 2048 ? 32
                        : device_team_threads;
}

/// A function of the shape alone, so that results are the same on every device.
struct RowMapping {
  int lanes;                ///< that share a row; on a host 1
  std::size_t pieces;       ///< that a row is cut into, a power of two
  std::size_t piece_length; ///< elements of each, the last may be shorter
};

/// Numbers that a sum of pieces needs at most, whatever the shape: below half of that `pieces` may
/// double.
inline constexpr std::size_t max_row_pieces = 8192;

/// On a GPU a team takes a row where rows are few, or a piece of one. On a host, where a team is one
/// thread, long rows are cut where there are fewer than the largest machine has threads.
inline RowMapping map_rows(bool on_host, std::size_t rows, std::size_t length,
                           std::size_t element_bytes) {
  const std::size_t many = on_host ? 512 : max_row_pieces / 2;
  const std::size_t least_packs = on_host ? 4096 : 2048; // of a piece: 64 or 32 KiB
  const std::size_t packs = length * element_bytes / 16;
  int lanes = 1;
  if (!on_host) {
    lanes = device_lanes(length, element_bytes);
    if (lanes == device_vector_lanes && rows < many) lanes = device_team_threads;
    if (lanes != device_team_threads) return {lanes, 1, length};
  }
  std::size_t pieces = 1;
  while (rows * pieces < many && packs / pieces >= 2 * least_packs)
    pieces *= 2;
  const std::size_t boundary = std::size_t(on_host ? 1 : device_team_threads) * 256 / element_bytes;
  return {lanes, pieces, pieces == 1 ? length : round_up(ceil_div(length, pieces), boundary)};
}

/// Calls f with `lanes` and `wide` as compile-time constants, types whose value they are; on a host
/// always with one lane, not wide.
template <class Exec, class F>
void with_row_constants(int lanes, bool wide, F&& f) {
  using One = std::integral_constant<int, 1>;
  if constexpr (runs_on_host<Exec>) {
    f(One(), std::false_type());
  } else {
    const auto choose = [&](auto is_wide) {
      switch (lanes) {
      case 1:
        return f(One(), is_wide);
      case 4:
        return f(std::integral_constant<int, 4>(), is_wide);
      case 16:
        return f(std::integral_constant<int, 16>(), is_wide);
      case 32:
        return f(std::integral_constant<int, 32>(), is_wide);
      default:
        return f(std::integral_constant<int, team_threads<Exec>>(), is_wide);
      }
    };
    wide ? choose(std::true_type()) : choose(std::false_type());
  }
}

} // namespace ado::detail
