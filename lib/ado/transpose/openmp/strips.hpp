// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose by hand for CPUs, for one process and for a rank's part.
#pragma once

#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <cstddef>

namespace ado {

/// Threads share strips of tiles along the rows of a.
template <class E>
void transpose_strips(const Matrices<E>& m, int threads) {
  const bool stream = host_tile::may_stream(m);
  const std::size_t strips = host_tile::strip_count(m);
#pragma omp parallel num_threads(threads)
  {
    alignas(64) E buffer[host_tile::buffer_bytes<E> / sizeof(E)];
#pragma omp for schedule(static)
    for (std::size_t strip = 0; strip < strips; ++strip)
      host_tile::transpose_strip(m, strip, buffer, stream);
  }
}

} // namespace ado
