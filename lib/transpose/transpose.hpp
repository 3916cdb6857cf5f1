// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of a matrix, out of place.
#pragma once

#include <ado/portable/views.hpp>
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
  static_assert(alignof(T) >= alignof(type), "ado::transpose: the element type is under-aligned");
};

/// Copies between matrices of the same shape and orientation; asynchronous on `exec`.
template <class Exec, class T>
void copy_matrix(const Exec& exec, const MatrixRef<T>& from, const MatrixRef<T>& to) {
  using Strided = Kokkos::View<T**, Kokkos::LayoutStride, typename Exec::memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Kokkos::LayoutStride source(from.rows, from.ld, from.columns, 1);
  const Kokkos::LayoutStride target(to.rows, to.ld, to.columns, 1);
  Kokkos::deep_copy(exec, Strided(to.data, target), Strided(from.data, source));
}

} // namespace detail

/// b(j, i) = a(i, j).
///
/// a  (R, C), LayoutRight or LayoutLeft, any leading dimension
/// b  (C, R), likewise; must not overlap a. The layouts may differ: then nothing needs to turn and
///    the call is a copy
///
/// Elements of 1, 2, 4, 8 or 16 bytes, moved bit by bit; a and b of one type. Any extents.
/// Asynchronous on `exec`; allocates nothing and does not fence. O(R C): reads a once, writes b
/// once. Throws InvalidArgument before anything is launched.
template <class Exec, class A, class B>
void transpose(const Exec& exec, const A& a, const B& b) {
  using T = typename B::value_type;
  detail::check_view<Exec, A, 2>();
  detail::check_view<Exec, B, 2>();
  static_assert(std::is_same_v<typename A::non_const_value_type, T>,
                "ado::transpose: a and b must have the same element type");
  detail::check_extent("transpose", "b", b, 0, "a", a, a.extent(1));
  detail::check_extent("transpose", "b", b, 1, "a", a, a.extent(0));
  using E = typename detail::ElementOf<T>::type;
  auto from = detail::matrix_ref("transpose", "a", a);
  auto to = detail::matrix_ref("transpose", "b", b);
  Kokkos::Profiling::ScopedRegion region("ado::transpose");
  if (from.by_columns != to.by_columns) {
    // b as its own transpose has a's shape: rows of one are columns of the other.
    if (from.by_columns)
      from = from.transposed();
    else
      to = to.transposed();
    detail::copy_matrix(
        exec, MatrixRef<T>{const_cast<T*>(from.data), from.rows, from.columns, from.ld, false}, to);
    return;
  }
  if (from.by_columns) { // both by columns: the same transpose with extents swapped
    from = from.transposed();
    to = to.transposed();
  }
  transpose_team(exec, from.rows, from.columns, reinterpret_cast<const E*>(from.data), from.ld,
                 reinterpret_cast<E*>(to.data), to.ld);
}

} // namespace ado
