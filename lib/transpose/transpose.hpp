// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of a matrix, out of place.
#pragma once

#include <ado/portable/views.hpp>
#include <ado/transpose/copy.hpp>
#include <ado/transpose/team.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
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
  using type = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<
          sizeof(T) == 2, std::uint16_t,
          std::conditional_t<sizeof(T) == 4, std::uint32_t,
                             std::conditional_t<sizeof(T) == 8, std::uint64_t, Element16>>>>;
  static_assert(sizeof(T) != sizeof(type) || alignof(T) >= alignof(type),
                "ado::transpose: the element type is under-aligned");
};

} // namespace detail

/// b(j, i) = a(i, j).
///
/// a  (R, C), LayoutRight or LayoutLeft, any leading dimension
/// b  (C, R), likewise; must not overlap a. The layouts may differ: then nothing needs to turn and
///    the call is a copy
///
/// Elements of 1, 2, 4, 8 or 16 bytes, aligned to their size (16 bytes: to 8), moved bit by bit; a
/// and b of one type. Any extents.
/// Asynchronous on `exec`; allocates nothing and does not fence. O(R C): reads a once, writes b
/// once. Throws InvalidArgument before anything is launched.
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
  const auto from_view = detail::matrix_ref("transpose", "a", a);
  const auto to_view = detail::matrix_ref("transpose", "b", b);
  MatrixRef<const E> from{reinterpret_cast<const E*>(from_view.data), from_view.rows,
                          from_view.columns, from_view.ld, from_view.by_columns};
  MatrixRef<E> to{reinterpret_cast<E*>(to_view.data), to_view.rows, to_view.columns, to_view.ld,
                  to_view.by_columns};
  if (a.size() == 0) return; // there may be 2^60 empty rows
  Kokkos::Profiling::ScopedRegion region("ado::transpose");
  // A matrix by columns is its transpose by rows.
  const bool turn = from.by_columns == to.by_columns;
  if (from.by_columns) from = from.transposed();
  if (to.by_columns) to = to.transposed();
  if (turn)
    transpose_team(exec, from.rows, from.columns, from.data, from.ld, to.data, to.ld);
  else
    copy_rows(exec, from, to);
}

} // namespace ado
