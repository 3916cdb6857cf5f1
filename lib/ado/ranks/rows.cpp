// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/rank_rows.hpp>

#include <Kokkos_Macros.hpp>

namespace ado::bench {

distributed::Blocks yax_rows(const Shape& s) {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
  constexpr bool has_gpu = true;
#else
  constexpr bool has_gpu = false;
#endif
  return distributed::detail::blocks_of_groups(s[0], yax_rank_height(s, has_gpu),
                                               comm_of_ranks().size());
}

} // namespace ado::bench
