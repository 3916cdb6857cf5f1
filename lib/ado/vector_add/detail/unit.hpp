// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one access moves: an element, or a Pack of 16 bytes.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

namespace ado::detail {

template <class T>
KOKKOS_INLINE_FUNCTION T sum_of(const T& a, const T& b) {
  return a + b;
}
template <class T>
KOKKOS_INLINE_FUNCTION Pack<T> sum_of(const Pack<T>& a, const Pack<T>& b) {
  Pack<T> sum;
  ADO_UNROLL
  for (int k = 0; k < Pack<T>::size; ++k)
    sum.lane[k] = a.lane[k] + b.lane[k];
  return sum;
}

} // namespace ado::detail
