// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory the warps of a GPU kernel ask for, as a formula, and what that costs: sectors of
// global memory, passes over the banks of shared memory. Counted on the host, without a GPU.
#pragma once

#include <ado/registry/types.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ado::bench {

inline constexpr std::size_t warp_lanes = 32;
/// Global memory moves in sectors. A pass over the banks of shared memory moves one word of each.
inline constexpr std::size_t sector_bytes = 32, bank_bytes = 4, bank_count = 32;
/// What a CPU moves where a GPU moves sectors.
inline constexpr std::size_t cache_line_bytes = 64;
/// Bytes side by side that memory has at hand once it serves any of them: part of an open DRAM row.
/// The fewer pieces of a block are asked for, the longer each takes; pieces at least this far apart
/// all take the same time (H200: docs/ladder/vector_add.md).
inline constexpr std::size_t memory_block_bytes = 256;
/// The address of a lane that asks for nothing.
inline constexpr std::size_t idle = static_cast<std::size_t>(-1);

enum class Space : std::uint8_t { global, shared };
enum class Direction : std::uint8_t { load, store };

/// One load or store of a kernel. In each of its steps every warp makes one request, for `bytes` of
/// each lane that is not idle.
struct Access {
  std::string what; ///< "v": the array
  Space space;
  Direction direction;
  std::size_t bytes;        ///< per lane: 1, 2, 4, 8 or 16
  std::size_t warps, steps; ///< in all
  /// Byte offset in the array, which starts on a boundary of 256.
  std::function<std::size_t(std::size_t warp, std::size_t lane, std::size_t step)> address;
};

/// What requests cost, in sectors (global) or passes (shared).
struct RequestCost {
  double requests = 0;
  double cost = 0;
  double least = 0;   ///< the cost if the same bytes lay side by side; each byte counts once
  double partial = 0; ///< sectors of which the request asks for only a part
  /// Sectors between the first and the last that the request leaves out, in memory blocks of which
  /// it asks for others. Sectors before and behind count for other requests, so for 32 lanes far
  /// apart a 32nd is missing.
  double holes = 0;

  double per_request() const { return requests == 0 ? 0 : cost / requests; }
  double least_per_request() const { return requests == 0 ? 0 : least / requests; }
  /// How much of what moves was asked for: 1 is coalesced, or without bank conflicts.
  double efficiency() const { return cost == 0 ? 1 : least / cost; }
  double excessive() const { return cost - least; }
  RequestCost& operator+=(const RequestCost& other);
};

inline constexpr std::size_t sampled_requests = std::size_t{1} << 11;
/// The cost of all requests of an access. Beyond `most` requests, an evenly spaced sample stands
/// for them; its distance is odd so that it meets repeating patterns in all phases. `piece_bytes`:
/// what global memory moves at once.
RequestCost cost_of(const Access& access, std::size_t most = sampled_requests,
                    std::size_t piece_bytes = sector_bytes);

/// The requests to one space, in both directions or in one.
RequestCost cost_of(const std::vector<Access>& accesses, Space space);
RequestCost cost_of(const std::vector<Access>& accesses, Space space, Direction direction,
                    std::size_t piece_bytes = sector_bytes);

/// Bytes that memory itself moves at once. A piece that is only partly stored must be read first:
/// with error correction nothing smaller can be stored. A GPU loads bursts of 64 bytes, of which a
/// cache may keep one sector, and stores single sectors.
struct MemoryPieces {
  std::size_t loaded, stored;
};
inline constexpr MemoryPieces gpu_memory{64, sector_bytes};
inline constexpr MemoryPieces cpu_memory{cache_line_bytes, cache_line_bytes};

/// What global accesses move between memory and chip if no cache keeps anything between requests.
struct MemoryTraffic {
  double read = 0, written = 0;           ///< bytes
  double load_holes = 0, store_holes = 0; ///< bytes that RequestCost::holes counts
};
MemoryTraffic memory_traffic(const std::vector<Access>& accesses, MemoryPieces pieces);

/// Loads of a row-major matrix: `lanes` of a warp (a power of two) share a row and stand side by
/// side in it, with `width` elements each. A single lane walks its row alone, and its neighbours
/// stand a whole row apart.
Access rows_by_lanes(std::string what, std::size_t rows, std::size_t columns, std::size_t bytes,
                     std::size_t lanes, std::size_t width = 1);
/// All lanes of a warp read the same element, for each of `count` elements in turn.
Access broadcast(std::string what, std::size_t warps, std::size_t count, std::size_t bytes);

} // namespace ado::bench
