// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of vector_add, portable and native, load and store.
#pragma once

#include <ado/registry/access_pattern.hpp>
#include <ado/registry/algorithm.hpp>
#include <ado/vector_add/banks.hpp>

#include <algorithm>

namespace ado::bench::vector_add_accesses {

/// The same access for each vector: loads of a and b, stores of c.
inline std::vector<Access> of_each(const Access& access) {
  std::vector<Access> all(3, access);
  all[0].what = "a";
  all[1].what = "b";
  all[2].what = "c";
  all[2].direction = Direction::store;
  return all;
}

/// Lanes side by side, each with `width` elements.
inline std::vector<Access> side_by_side(const Shape& s, Type type, std::size_t width = 1) {
  return of_each(rows_by_lanes("", 1, s[0], size_of(type), warp_lanes, width));
}

/// Lane = a row of `stride` elements. If no stride is asked for, it depends on the device; a device
/// of 2^18 lanes, an H200, stands for all.
inline std::vector<Access> strided(const Shape& s, Type type, int asked) {
  const std::size_t n = s[0], bytes = size_of(type);
  const std::size_t stride = std::max<std::size_t>(
      1, asked > 0 ? std::min(static_cast<std::size_t>(asked), n) : ceil_div(n, 1 << 18));
  return of_each({"", Space::global, Direction::load, bytes,
                  ceil_div(ceil_div(n, stride), warp_lanes), stride,
                  [=](std::size_t warp, std::size_t lane, std::size_t j) {
                    const std::size_t i = (warp * warp_lanes + lane) * stride + j;
                    return i < n ? i * bytes : idle;
                  }});
}

/// Lanes are side by side in the vectors, and a stride apart in the tile. Each access of a trip
/// goes once along the tile. Empty if the stride is refused.
inline std::vector<Access> banks(const Shape& s, Type type, int asked) {
  if (asked > banks_largest_stride) return {};
  const BanksPlaces places(asked, "vector_add[banks]");
  const std::size_t bytes = size_of(type);
  std::vector<Access> all = side_by_side(s, type);
  for (const Direction direction : {Direction::load, Direction::store})
    all.push_back({"the tile", Space::shared, direction, bytes,
                   ceil_div(s[0], banks_tile) * (banks_tile / warp_lanes),
                   2 * banks_round_trips + 1, [=](std::size_t warp, std::size_t lane, std::size_t) {
                     const std::size_t k = (warp * warp_lanes + lane) % banks_tile;
                     return (k * places.stride % banks_tile + (k >> places.period_bits)) * bytes;
                   }});
  return all;
}

} // namespace ado::bench::vector_add_accesses
