// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers in which kernels of one source differ between backends: two columns of one table.
#pragma once

#include <ado/host/registers.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::one {

/// A team is a block of threads that share scratch, and memory wants many accesses of 16 bytes at
/// once.
struct OfGpu {
  static constexpr int team_threads = detail::device_team_threads; ///< all lanes counted
  static constexpr int vector_lanes = detail::device_vector_lanes; ///< neighbours that share a row
  static constexpr std::size_t pack_bytes = 16;
  static constexpr std::size_t widest_pack_bytes = 16; ///< where packs only pass through registers
  static constexpr bool packs_begin_anywhere = false;  ///< else at multiples of their size
  /// Packs of `size` numbers that a lane asks for at once.
  KOKKOS_FUNCTION static constexpr int loads_in_flight(int size) { return size == 1 ? 16 : 8; }
  using Index = unsigned;                          ///< within a row
  static constexpr bool stores_past_cache = false; ///< what is large, so that it is not read first

  // Sums along rows.
  static constexpr int rows_at_once = 1;                 ///< that a thread has under way
  static constexpr bool rows_in_blocks = false;          ///< a team has rows by their bytes
  static constexpr std::size_t enough_tasks = 2048;      ///< fill the largest machine
  static constexpr std::size_t least_piece_bytes = 8192; ///< of a row that is cut

  // Products: rows and columns of y that a thread has at once, tiles of that size that a team has,
  // and how many of these lie side by side. A large product is brought to scratch,
  // product_staged_bytes of each row at once.
  static constexpr int product_high = 2, product_wide = 4;
  static constexpr bool product_sums_slots = false;                   ///< of packs, each on its own
  static constexpr std::size_t product_tiles = 0, product_across = 2; ///< 0: one for each sum
  static constexpr std::size_t product_part_bytes = std::size_t{1}
                                                    << 32; ///< of each row, before the next
  static constexpr std::size_t product_staged_bytes = 128;

  // Transposes: rows and columns of a tile, `small` where there would be fewer than enough_tiles;
  // rows of a block, which turns at once; blocks that a lane has at once; tiles in a row that a
  // team takes in turn; whether packs in scratch change places, so that lanes meet different banks;
  // whether blocks may go to b at once; bytes that are stored together.
  static constexpr std::size_t enough_tiles = 256;
  KOKKOS_FUNCTION static constexpr int tile_rows(int element_bytes, bool small) {
    return (element_bytes < 4 ? 128 : element_bytes < 16 ? 64 : 32) >> int(small);
  }
  KOKKOS_FUNCTION static constexpr int tile_columns(int element_bytes, bool small) {
    return (small ? 4096 : 16384) / element_bytes / tile_rows(element_bytes, small);
  }
  KOKKOS_FUNCTION static constexpr int rows_of_block(int columns) {
    return columns < 4 ? columns : 4;
  }
  static constexpr int most_blocks = 8, most_tiles = 1;
  static constexpr bool swizzles = true, writes_blocks = false;
  static constexpr std::size_t line_bytes = 16;
};

/// A team is a thread, its lanes are a SIMD register, and its scratch is the cache.
struct OfCpu {
  static constexpr int team_threads = 1, vector_lanes = 1;
  static constexpr std::size_t pack_bytes = detail::register_bytes;
  static constexpr std::size_t widest_pack_bytes = detail::widest_register_bytes;
  static constexpr bool packs_begin_anywhere = true;
  KOKKOS_FUNCTION static constexpr int loads_in_flight(int) { return 4; }
  using Index = std::size_t;
  static constexpr bool stores_past_cache = true;

  static constexpr int rows_at_once = 4; ///< streams of a core's prefetcher
  static constexpr bool rows_in_blocks = true;
  static constexpr std::size_t enough_tasks = 512, least_piece_bytes = 65536;

  static constexpr int product_high = widest_pack_bytes == 64 ? 6 : 3, product_wide = 4;
  static constexpr bool product_sums_slots = true;
  static constexpr std::size_t product_tiles = 512, product_across = 16;
  static constexpr std::size_t product_part_bytes = 4096, product_staged_bytes = 0;

  static constexpr std::size_t enough_tiles = 0;
  KOKKOS_FUNCTION static constexpr int tile_rows(int element_bytes, bool) {
    return element_bytes < 2 ? 128 : 256 / element_bytes;
  }
  KOKKOS_FUNCTION static constexpr int tile_columns(int element_bytes, bool) {
    return element_bytes < 4 ? 64 : 256 / element_bytes;
  }
  KOKKOS_FUNCTION static constexpr int rows_of_block(int columns) {
    return columns * static_cast<int>(pack_bytes / 16);
  }
  static constexpr int most_blocks = 1, most_tiles = 16;
  static constexpr bool swizzles = false, writes_blocks = true;
  static constexpr std::size_t line_bytes = 64;
};

template <class Exec>
using Constants = std::conditional_t<detail::runs_on_host<Exec>, OfCpu, OfGpu>;

} // namespace ado::one
