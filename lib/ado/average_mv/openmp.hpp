// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU twins of average_mv, by hand but for the tiles of the product (detail/product/host.hpp).
#pragma once

#include <ado/average/openmp.hpp>
#include <ado/average_mv/detail/host_sets.hpp>
#include <ado/average_mv/detail/product/host.hpp>

#include <omp.h>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

template <class T>
void openmp_multiply(const detail::Product<T>& p, int threads) {
  namespace host_product = detail::host_product;
  if (p.rows == 0 || p.length == 0) return; // a rank may have no row
  const auto count = static_cast<std::size_t>(threads);
  const host_product::Tiles tiles = host_product::tiles_of(p, count);
  const std::size_t chunk = host_product::tiles_at_once(p, tiles, count);
  // Neighbouring tiles share lines of y.
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads) if (tiles.count > 1)
  for (std::size_t tile = 0; tile < tiles.count; ++tile)
    host_product::multiply_tile(p, tiles, tile);
}

/// Both steps for `at_once` sets of v at a time (host_sets::sets_at_once). `memory` holds the means
/// of all sets; a thread needs twice the means of the sets it has at a time.
template <class T>
void openmp_average_sets(const Array& v, const detail::Product<T>& p, std::size_t at_once,
                         T* memory, int threads) {
  namespace host_sets = detail::host_sets;
  const std::size_t length = p.length, count = v.extent[2], size = at_once * length;
  const bool no_gaps = v.stride[0] == length * v.stride[1], stream = host_sets::streams(p);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::size_t n = 0; n < p.sets; n += at_once) {
    T* const panels = memory + 2 * size * static_cast<std::size_t>(omp_get_thread_num());
    T* const means = panels + size;
    const std::size_t sets = std::min(at_once, p.sets - n);
    const std::size_t rows = no_gaps ? sets * length : length; // without an end of a set between
    const std::size_t together = host_block_rows(sets * length, count, sizeof(T));
    for (std::size_t first = 0; first < sets * length; first += rows)
      for (std::size_t row = 0; row < rows; row += together)
        openmp_average_rows(
            v.as<const T>() + (n + first / length) * v.stride[0] + row * v.stride[1], v.stride[1],
            std::min(together, rows - row), count, means + first + row);
    host_sets::multiply(p, n, sets, means, panels, stream);
  }
}

} // namespace ado::bench
