// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv in the CPU twins, by hand but for its tiles (detail/host_product.hpp).
#pragma once

#include <ado/average_mv/detail/host_product.hpp>

#include <cstddef>

namespace ado {

template <class T>
void openmp_multiply(const detail::Product<T>& p, int threads) {
  namespace host_product = detail::host_product;
  const std::size_t tiles = p.length == 0 ? 0 : host_product::tile_count(p);
  const std::size_t chunk = host_product::tiles_at_once(p);
#pragma omp parallel num_threads(threads)
  {
    alignas(64) T panel[host_product::panel_size<T>];
#pragma omp for schedule(guided, chunk) // neighbouring tiles share lines of y
    for (std::size_t tile = 0; tile < tiles; ++tile)
      host_product::multiply_tile(p, tile, panel);
  }
}

} // namespace ado
