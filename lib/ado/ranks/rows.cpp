// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/cuda_plan.hpp>
#include <ado/yax/detail/plan.hpp>
#include <ado/yax/openmp/sums.hpp>

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <numeric>

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
    if (!has_gpu) continue;
    height = std::lcm(height, yax_tiles(false, s[0], s[1], bytes).rows_per_tile);
    height = std::lcm(height, yax_cuda_tiles(s[0], s[1], bytes).rows_per_tile); // by hand
  }
  return height;
}

} // namespace

distributed::Blocks yax_rows(const Shape& s) {
  return distributed::detail::blocks_of_groups(s[0], height_of(s), comm_of_ranks().size());
}

} // namespace ado
