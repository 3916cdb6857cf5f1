// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The portable kernel's strips, shared by OpenMP threads: for a rank's part. (`team` by hand has
// its own kernel.)
#pragma once

#include <ado/registry/types.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <cstddef>

namespace ado::bench {

/// Threads share strips of a.
template <class E>
void transpose_strips(const Matrices<E>& m, int threads) {
  const std::size_t strips = host_tile::strip_count(m, static_cast<std::size_t>(threads));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t strip = 0; strip < strips; ++strip)
    host_tile::transpose_strip(m, strip, static_cast<std::size_t>(threads));
}

} // namespace ado::bench
