// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a tile's elements lie in scratch, so that lanes side by side are a stride apart there.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/registry/types.hpp>

#include <cstddef>
#include <numeric>

namespace ado::bench {

/// Slots of the tile, a power of two; and the largest stride, one more than there are banks.
inline constexpr unsigned banks_tile = 1024;
inline constexpr int banks_largest_stride = 33;
/// Times that each element goes to its neighbour's place in another tile and comes back.
inline constexpr int banks_round_trips = 4;

/// Element k lies in slot k * stride, modulo the tile. Each time that this comes round to the same
/// slots, it moves one further, so every element has a slot of its own.
struct BanksPlaces {
  unsigned stride;
  unsigned period_bits; ///< log2 of the elements before it comes round

  /// Throws InvalidArgument if `asked` is not a valid stride; 0 stands for 32.
  BanksPlaces(int asked, const char* what)
      : stride(static_cast<unsigned>(checked_stride(asked, 32, banks_largest_stride, what))),
        period_bits(0) {
    while ((1u << period_bits) < banks_tile / std::gcd(stride, banks_tile))
      ++period_bits;
  }
};

} // namespace ado::bench
