// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/checks.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/detail/plan.hpp>
#include <ado/yax/openmp/sums.hpp>

#include <Kokkos_Macros.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace ado {
namespace {

/// Rows that no cut may part.
std::size_t height_of(const Shape& s) {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
  constexpr bool has_gpu = true;
#else
  constexpr bool has_gpu = false;
#endif
  std::size_t height = 1;
  for (const std::size_t bytes : {sizeof(float), sizeof(double)}) {
    height = std::lcm(height, yax_block_rows(s, bytes)); // of the twin by hand
    height = std::lcm(height, yax_tiles(true, s[0], s[1], bytes).rows_per_tile);
    if (has_gpu) height = std::lcm(height, yax_tiles(false, s[0], s[1], bytes).rows_per_tile);
  }
  return height;
}

} // namespace

distributed::Blocks yax_rows(const Shape& s) {
  const int parts = comm_of_ranks().size();
  const std::size_t height = height_of(s);
  const distributed::Blocks tiles(ceil_div(s[0], height), parts);
  std::vector<std::size_t> counts;
  for (int part = 0; part < parts; ++part) {
    const std::size_t first = std::min(tiles.first(part) * height, s[0]);
    counts.push_back(std::min(tiles.count(part) * height, s[0] - first));
  }
  return distributed::Blocks(counts);
}

} // namespace ado
