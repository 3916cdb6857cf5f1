// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of a matrix, out of place.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/portable/views.hpp>
#include <ado/transpose/detail/copy.hpp>
#include <ado/transpose/detail/team.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado {

namespace detail {

/// What kernels move instead of T: its size is all that matters, and its alignment.
template <class T>
struct ElementOf {
  static_assert(std::is_trivially_copyable_v<T>, "ado::transpose moves elements bit by bit");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||
                    sizeof(T) == 16,
                "ado::transpose: elements must be of 1, 2, 4, 8 or 16 bytes");
  using type = ElementOfBytes<sizeof(T)>;
};

/// Transposes them as matrices of E, to which a and b are aligned.
template <class E, class Exec, class T, class U>
void transpose_elements(const Exec& exec, const MatrixRef<T>& a, const MatrixRef<U>& b) {
  MatrixRef<const E> from{reinterpret_cast<const E*>(a.data), a.rows, a.columns, a.ld,
                          a.by_columns};
  MatrixRef<E> to{reinterpret_cast<E*>(b.data), b.rows, b.columns, b.ld, b.by_columns};
  // A column-major matrix is its row-major transpose.
  const bool turn = from.by_columns == to.by_columns;
  if (from.by_columns) from = from.transposed();
  if (to.by_columns) to = to.transposed();
  if (turn)
    transpose_team(exec, from.rows, from.columns, from.data, from.ld, to.data, to.ld);
  else
    copy_rows(exec, from, to);
}

} // namespace detail

/// b(j, i) = a(i, j).
///
/// a  (R, C), LayoutRight or LayoutLeft, any leading dimension
/// b  (C, R), likewise; must not overlap a. If the layouts differ, nothing needs to turn and the
///    call is a copy
///
/// Elements of 1, 2, 4, 8 or 16 bytes, moved bit by bit; a and b have one type. Any extents. Fastest if
/// both are aligned to the elements' size (16 bytes: to 8), as Kokkos' own allocations are;
/// std::complex<float> in memory aligned to 4 takes two words per element.
/// Asynchronous on `exec`; allocates nothing and does not fence. O(R C): reads a once, writes b once.
/// Throws InvalidArgument before anything is launched.
template <class Exec, class A, class B>
void transpose(const Exec& exec, const A& a, const B& b) {
  using T = typename B::non_const_value_type;
  detail::check_view<Exec, A, 2>();
  detail::check_output<Exec, B, 2>();
  static_assert(std::is_same_v<typename A::non_const_value_type, T>,
                "ado::transpose: a and b must have the same element type");
  detail::check_extent("transpose", "b", b, 0, "a", a, a.extent(1));
  detail::check_extent("transpose", "b", b, 1, "a", a, a.extent(0));
  if (a.size() != 0 && static_cast<const T*>(a.data()) == b.data())
    detail::bad_argument("transpose", "b is the memory of a; ado does not transpose in place");
  using E = typename detail::ElementOf<T>::type;
  const auto from = detail::matrix_ref("transpose", "a", a);
  const auto to = detail::matrix_ref("transpose", "b", b);
  if (a.size() == 0) return; // there may be 2^60 empty rows
  Kokkos::Profiling::ScopedRegion region("ado::transpose");
  if constexpr (alignof(T) < alignof(E)) {
    const auto starts =
        reinterpret_cast<std::uintptr_t>(from.data) | reinterpret_cast<std::uintptr_t>(to.data);
    if (starts % alignof(E) != 0)
      return detail::transpose_elements<detail::LooseElement<sizeof(T), alignof(T)>>(exec, from,
                                                                                     to);
  }
  detail::transpose_elements<E>(exec, from, to);
}

} // namespace ado
