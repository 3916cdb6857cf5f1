// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flat loop nest of yax, for any layout of a: row_per_thread and row_per_thread_left differ only in
// the View that they pass.
#pragma once

#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

template <class Y, class A, class X>
struct YaxRowPerThread {
  Y y;
  A a;
  X x;
  using T = typename A::non_const_value_type;

  KOKKOS_FUNCTION void operator()(std::size_t i, T& result) const {
    T dot = 0;
    // One thread per row means few threads, so each starts this many loads before it uses the first.
    constexpr std::size_t together = 16;
    std::size_t j = 0;
    for (; j + together <= a.extent(1); j += together) {
      T of_a[together];
      ADO_UNROLL
      for (std::size_t k = 0; k < together; ++k)
        of_a[k] = a(i, j + k);
      ADO_UNROLL
      for (std::size_t k = 0; k < together; ++k)
        dot += of_a[k] * x(j + k);
    }
    for (; j < a.extent(1); ++j)
      dot += a(i, j) * x(j);
    result += y(i) * dot;
  }
};

/// Asynchronous on `exec`: the sum goes to memory of `exec`, not to the host.
template <class Exec, class Y, class A, class X>
void yax_row_per_thread(const char* label, const Exec& exec, const Y& y, const A& a, const X& x,
                        typename A::non_const_value_type* result) {
  using T = typename A::non_const_value_type;
  using Scalar =
      Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  // With one thread per row, a multiprocessor gets no second block until there are many rows. So a block
  // may have all registers; the loads in flight need them. (By default the compiler keeps a thread below
  // 40 registers, and so to a few loads.)
  using Range =
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::LaunchBounds<256, 1>>;
  Kokkos::parallel_reduce(label, Range(exec, 0, a.extent(0)), YaxRowPerThread<Y, A, X>{y, a, x},
                          Kokkos::Sum<T, typename Exec::memory_space>(Scalar(result)));
}

/// Roundings on its longest path. A row is a chain; Kokkos may add the rows in any order.
inline double yax_row_per_thread_steps(std::size_t rows, std::size_t columns) {
  return double(columns) + 1 + double(rows) + 1;
}

} // namespace ado
