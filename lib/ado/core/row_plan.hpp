// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How rows that are summed up spread over threads: a function of the shape alone, so that results
// are the same on every GPU. One plan for Kokkos and for CUDA; the kernels are written twice.
#pragma once

#include <ado/core/checks.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace ado::detail {

/// Threads of a team on a GPU, a CUDA block: 256 keep registers below 256 a thread and divide every
/// multiprocessor's limit.
inline constexpr int device_team_threads = 256;
/// Vector lanes of a thread there: a warp's 32 (AMD: half a wavefront).
inline constexpr int device_vector_lanes = 32;

/// Lanes that share a row on a GPU: 1, 4, 16 or 32, or all of a team. Each should find at least
/// four packs of 16 bytes in its row.
inline int device_lanes(std::size_t length, std::size_t element_bytes) {
  const std::size_t packs = length * element_bytes / 16;
  return packs < 16     ? 1
         : packs < 64   ? 4
         : packs < 256  ? 16
         : packs < 2048 ? device_vector_lanes
                        : device_team_threads;
}

struct RowMapping {
  int lanes;                ///< that share a row; on a host 1
  std::size_t pieces;       ///< that a row is cut into, a power of two
  std::size_t piece_length; ///< elements of each, the last may be shorter
};

/// Pieces of all rows that a GPU has at most: below half of that they may double.
inline constexpr std::size_t max_row_pieces = 8192;

/// On a GPU a team takes a row where rows are few, or a piece of one. On a host, where a team is
/// one thread, long rows are cut where there are fewer than the largest machine has threads. Each
/// piece but the last is a multiple of `lane_bytes` for each lane.
inline RowMapping map_rows(bool on_host, std::size_t rows, std::size_t length,
                           std::size_t element_bytes, std::size_t lane_bytes = 256) {
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
  const std::size_t boundary =
      std::size_t(on_host ? 1 : device_team_threads) * lane_bytes / element_bytes;
  return {lanes, pieces, pieces == 1 ? length : round_up(ceil_div(length, pieces), boundary)};
}

/// The most rows of a block, see below: their sums stay in the first-level cache.
inline constexpr std::size_t most_block_rows = 4096;

/// Rows that a thread of a host sums at a time, a power of two. A core reads a block as four
/// streams, and faster where these are long; but all threads of the largest machine should get some
/// blocks (docs/lab/constants.md#yax).
inline std::size_t host_block_rows(std::size_t rows, std::size_t length,
                                   std::size_t element_bytes) {
  constexpr std::size_t least_bytes = std::size_t{64} * 1024, most_bytes = 16 * least_bytes;
  constexpr std::size_t blocks = 512, least_rows = 4;
  const std::size_t row_bytes = (length + 1) * element_bytes;
  const std::size_t bytes = std::clamp(rows * row_bytes / blocks, least_bytes, most_bytes);
  return std::clamp(std::bit_floor(bytes / row_bytes), least_rows, most_block_rows);
}

/// Calls f with `value` as a compile-time constant (std::integral_constant). It must be one of
/// `constants`.
template <int... constants, class F>
void with_constant(int value, const F& f) {
  [[maybe_unused]] const bool found =
      ((value == constants && (f(std::integral_constant<int, constants>()), true)) || ...);
  assert(found);
}

} // namespace ado::detail
