// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of algorithms that read one R x C matrix.
#pragma once

#include <ado/registry/algorithm.hpp>

#include <cmath>
#include <vector>

namespace ado::bench {

/// A square matrix of about that many elements; a large side is a multiple of 64.
inline Shape square_of_size(std::size_t elements) {
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(elements)));
  if (side > 1024) side -= side % 64;
  return {side, side, 1};
}

/// 0, 1, primes, sides around the tile and vector widths of kernels, tall and wide.
inline std::vector<Shape> matrix_edge_shapes() {
  return {{0, 5, 1},      {5, 0, 1},    {1, 1, 1},    {1, 2, 1},      {2, 1, 1},      {3, 5, 1},
          {7, 8, 1},      {16, 16, 1},  {15, 17, 1},  {31, 33, 1},    {32, 32, 1},    {33, 65, 1},
          {63, 64, 1},    {64, 63, 1},  {65, 64, 1},  {64, 65, 1},    {127, 129, 1},  {128, 128, 1},
          {257, 255, 1},  {1, 1031, 1}, {1031, 1, 1}, {2, 100003, 1}, {100003, 2, 1}, {511, 513, 1},
          {1000, 777, 1}, {3, 4099, 1}, {4099, 3, 1}, {1, 300007, 1}, {640, 512, 1},  {400, 496, 1},
          {800, 704, 1},  {6, 40003, 1}};
}

} // namespace ado::bench
