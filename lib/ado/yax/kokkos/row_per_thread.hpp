// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flat loop nest of yax, whatever the layout of a: what row_per_thread and row_per_thread_left
// differ in is the View that they give it.
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
    // With a thread a row threads are few: so many loads at a time, before the first is used.
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

/// Asynchronous on `exec`: the sum goes into memory of its own, not to the host.
template <class Exec, class Y, class A, class X>
void yax_row_per_thread(const char* label, const Exec& exec, const Y& y, const A& a, const X& x,
                        typename A::non_const_value_type* result) {
  using T = typename A::non_const_value_type;
  using Scalar =
      Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  // A thread a row: a GPU gets no second block on a multiprocessor until there are many rows, so a
  // block may have all registers, which the loads in flight need. (By default the compiler keeps a
  // thread below 40 of them, and a few loads.)
  using Range =
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::LaunchBounds<256, 1>>;
  Kokkos::parallel_reduce(label, Range(exec, 0, a.extent(0)), YaxRowPerThread<Y, A, X>{y, a, x},
                          Kokkos::Sum<T, typename Exec::memory_space>(Scalar(result)));
}

/// Roundings on its longest path: a row is a chain; how rows meet is Kokkos' choice, so any order of
/// them is allowed for.
inline double yax_row_per_thread_steps(std::size_t rows, std::size_t columns) {
  return double(columns) + 1 + double(rows) + 1;
}

} // namespace ado
