// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory the warps of a GPU kernel ask for, as a formula, and what that costs: sectors of
// global memory, passes over the banks of shared memory. Counted on the host; no GPU is needed.
#pragma once

#include <ado/core/types.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ado {

inline constexpr std::size_t warp_lanes = 32;
/// Global memory moves in sectors. A pass over the banks of shared memory moves one word of each.
inline constexpr std::size_t sector_bytes = 32, bank_bytes = 4, bank_count = 32;
/// What a CPU moves where a GPU moves sectors.
inline constexpr std::size_t cache_line_bytes = 64;
/// Bytes side by side that memory has at hand once it serves any of them, of an open row of a DRAM.
/// Pieces take longer the fewer of them are asked for in each of these blocks; from this distance
/// on all take the same time (H200: docs/ladder/vector_add.md).
inline constexpr std::size_t memory_block_bytes = 256;
/// The address of a lane that asks for nothing.
inline constexpr std::size_t idle = static_cast<std::size_t>(-1);

enum class Space : std::uint8_t { global, shared };
enum class Direction : std::uint8_t { load, store };

/// One load or store of a kernel. In each of its steps every warp makes one request, for `bytes` of
/// each of its lanes that is not idle.
struct Access {
  std::string what; ///< "v": the array
  Space space;
  Direction direction;
  std::size_t bytes;        ///< of a lane: 1, 2, 4, 8 or 16
  std::size_t warps, steps; ///< in all
  /// Bytes from the start of the array, which lies on a boundary of 256.
  std::function<std::size_t(std::size_t warp, std::size_t lane, std::size_t step)> address;
};

/// What requests cost, in sectors (global) or passes (shared).
struct RequestCost {
  double requests = 0;
  double cost = 0;
  double least = 0; ///< what the bytes asked for would take side by side; the same byte counts once
  double partial = 0; ///< of the sectors those of which the request asks for a part only
  /// Sectors between the first and the last that the request does not ask for, in blocks of memory
  /// of which it asks for others. Sectors before and behind count for other requests; so of 32
  /// lanes far apart a 32nd is missing.
  double holes = 0;

  double per_request() const { return requests == 0 ? 0 : cost / requests; }
  double least_per_request() const { return requests == 0 ? 0 : least / requests; }
  /// The part of what moves that was asked for: 1 is coalesced, or without bank conflicts.
  double efficiency() const { return cost == 0 ? 1 : least / cost; }
  double excessive() const { return cost - least; }
  RequestCost& operator+=(const RequestCost& other);
};

inline constexpr std::size_t sampled_requests = std::size_t{1} << 11;
/// All requests of an access. If they are more than `most`, a sample at equal distances stands for
/// them. The distance is odd, so that it meets repeating patterns in all their phases.
/// `piece_bytes`: what global memory moves at once.
RequestCost cost_of(const Access& access, std::size_t most = sampled_requests,
                    std::size_t piece_bytes = sector_bytes);

/// The requests to one space; of both directions, or of one.
RequestCost cost_of(const std::vector<Access>& accesses, Space space);
RequestCost cost_of(const std::vector<Access>& accesses, Space space, Direction direction,
                    std::size_t piece_bytes = sector_bytes);

/// Bytes that memory itself moves at once. A piece of which a part is stored has to be read before:
/// with error correction no less can be stored. GPU: bursts of 64 bytes come in for loads, of which
/// a cache may keep one sector, and single sectors for stores.
struct MemoryPieces {
  std::size_t loaded, stored;
};
inline constexpr MemoryPieces gpu_memory{64, sector_bytes};
inline constexpr MemoryPieces cpu_memory{cache_line_bytes, cache_line_bytes};

/// What moves between memory and the chip for global accesses, where no cache keeps anything from
/// one request to the next.
struct MemoryTraffic {
  double read = 0, written = 0;           ///< bytes
  double load_holes = 0, store_holes = 0; ///< bytes of what RequestCost::holes counts
};
MemoryTraffic memory_traffic(const std::vector<Access>& accesses, MemoryPieces pieces);

/// Loads of a row-major matrix: `lanes` of a warp (a power of two) share a row, and stand side by
/// side in it with `width` elements each. One lane: it walks its row alone, and neighbours stand a
/// whole row apart.
Access rows_by_lanes(std::string what, std::size_t rows, std::size_t columns, std::size_t bytes,
                     std::size_t lanes, std::size_t width = 1);
/// All lanes of a warp read the same element, one after the other of `count`.
Access broadcast(std::string what, std::size_t warps, std::size_t count, std::size_t bytes);

} // namespace ado
