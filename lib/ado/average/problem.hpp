// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of average and average_mv: N sets of L vectors of M elements (`--sets`, `--length`,
// `--vectors`).
#pragma once

#include <ado/registry/algorithm.hpp>

#include <bit>
#include <cmath>
#include <vector>

namespace ado::bench {

/// A cube N = L = M of about `elements` elements; a large side is a multiple of 16.
inline Shape cube_of_size(std::size_t elements) {
  // cbrt(512^3) may be a little less than 512.
  auto side = static_cast<std::size_t>(std::cbrt(static_cast<double>(elements)) + 1e-6);
  if (side > 64) side -= side % 16;
  return {side, side, side};
}

/// 0, 1, primes, lengths around the widths that kernels use, few long and many short vectors.
inline std::vector<Shape> average_edge_shapes() {
  return {{0, 3, 4},      {3, 0, 4},      {3, 4, 0},      {1, 1, 1},      {1, 1, 2},
          {2, 3, 1},      {1, 7, 31},     {3, 5, 32},     {2, 5, 33},     {4, 31, 63},
          {3, 33, 64},    {3, 32, 65},    {17, 3, 127},   {5, 1, 128},    {2, 65, 129},
          {3, 2, 1023},   {2, 3, 1025},   {7, 129, 1000}, {64, 1, 3},     {1, 200, 7},
          {10, 64, 174},  {1, 1, 100003}, {300, 17, 16},  {33, 33, 8},    {70, 67, 5},
          {16300, 5, 3},  {16300, 6, 8},  {16300, 3, 20}, {16300, 3, 12}, {16500, 19, 3},
          {16500, 20, 4}, {1300, 71, 3},  {8210, 33, 2},  {8210, 36, 2},  {5, 12, 4},
          {5, 12, 70},    {8200, 3, 64},  {8200, 4, 64},  {2, 3, 50021},  {1300, 68, 4},
          {1300, 63, 8},  {1300, 17, 3},  {1300, 5, 4},   {1300, 40, 12}, {1300, 9, 20},
          {1300, 33, 2},  {1100, 65, 12}, {250, 385, 1},  {250, 388, 1},  {2100, 20, 64},
          {16500, 65, 1}, {16500, 68, 1}, {9, 1300, 1},   {65, 1030, 1},  {1030, 67, 16},
          {16500, 8, 8},  {1300, 5, 0}};
}

/// If so, a division by `count` is exact.
constexpr bool is_power_of_two(std::size_t count) { return std::has_single_bit(count); }

} // namespace ado::bench
