// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `tuned`, which ado::transpose calls. Its card: kokkos/tuned.cpp.
#pragma once

#include <ado/portable/host_tasks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/transpose/detail/device.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// A thread of a host takes a strip of tiles.
template <class E>
struct TransposeStrips {
  Matrices<E> m;
  std::size_t threads;

  void operator()(std::int64_t strip) const {
    host_tile::transpose_strip(m, static_cast<std::size_t>(strip), threads);
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class E>
void transpose_tuned(const Exec& exec, std::size_t rows, std::size_t columns, const E* a,
                     std::size_t lda, E* b, std::size_t ldb) {
  if (rows == 0 || columns == 0) return;
  const Matrices<E> m{rows, columns, a, lda, b, ldb};
  if constexpr (runs_on_host<Exec>) {
    const std::size_t threads = threads_of(exec);
    host_tasks("ado::transpose[tuned]", exec, host_tile::strip_count(m, threads),
               TransposeStrips<E>{m, threads});
  } else {
    device_tile::transpose(exec, m);
  }
}

} // namespace ado::detail
