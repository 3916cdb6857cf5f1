// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flat loop nest of yax, for any layout of a: row_per_thread and row_per_thread_left differ
// only in the View that they pass. row_per_thread_batched passes a functor of its own.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::bench {

template <class Y, class A, class X>
struct YaxRowPerThread {
  Y y;
  A a;
  X x;
  using T = typename A::non_const_value_type;

  KOKKOS_FUNCTION void operator()(std::size_t i, T& result) const {
    T dot = 0;
    for (std::size_t j = 0; j < a.extent(1); ++j)
      dot += a(i, j) * x(j);
    result += y(i) * dot;
  }
};
template <class Y, class A, class X>
YaxRowPerThread(Y, A, X) -> YaxRowPerThread<Y, A, X>; // clang before 17 asks for it

/// Asynchronous on `exec`: the sum goes to memory of `exec`, not to the host. Properties: those of
/// the RangePolicy.
template <class... Properties, class Exec, class Functor>
void yax_rows_to_threads(const char* label, const Exec& exec, const Functor& functor,
                         typename Functor::T* result) {
  using T = typename Functor::T;
  using Scalar =
      Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Properties...>;
  Kokkos::parallel_reduce(label, Range(exec, 0, functor.a.extent(0)), functor,
                          Kokkos::Sum<T, typename Exec::memory_space>(Scalar(result)));
}

/// Roundings on its longest path. A row is a chain of a product and columns - 1 additions; one more
/// product, by y; then Kokkos may add the rows in any order, so up to rows - 1 additions.
inline double yax_row_per_thread_steps(std::size_t rows, std::size_t columns) {
  return double(columns) + double(rows);
}

} // namespace ado::bench
