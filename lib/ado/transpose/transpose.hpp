// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of a matrix, out of place.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/portable/views.hpp>
#include <ado/transpose/detail/copy.hpp>
#include <ado/transpose/detail/tuned.hpp>

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

/// The least alignment that memory of T may have. Views of Kokkos::complex may lie on memory of
/// std::complex, which is aligned like a single number.
template <class T>
inline constexpr std::size_t least_alignment = alignof(T);
template <class Real>
inline constexpr std::size_t least_alignment<Kokkos::complex<Real>> = alignof(Real);

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
    transpose_tuned(exec, from.rows, from.columns, from.data, from.ld, to.data, to.ld);
  else
    copy_rows(exec, from, to);
}

} // namespace detail

/// The transpose of a matrix: b(j, i) = a(i, j).
///
/// \param exec  instance of an execution space that can access a and b
/// \param a     shape (R, C), LayoutRight or LayoutLeft, any leading dimension
/// \param b     shape (C, R), LayoutRight or LayoutLeft, any leading dimension; is overwritten
/// \throws InvalidArgument  where shapes or strides do not fit, or b is the memory of a; before
///                          anything is launched
///
/// Types: a and b have one element type, any that is trivially copyable and has 1, 2, 4, 8 or 16
/// bytes.
///
/// Shapes: any extents, counted in elements.
///
/// Layouts: if those of a and b differ, nothing has to turn, and the call is a copy. Fastest if
/// both start at a multiple of the element's size, as Kokkos' own allocations do; for 16 bytes a
/// multiple of 8 will do. Memory of std::complex<float> may be aligned to 4, also in a View of
/// Kokkos::complex<float>: then an element takes two accesses.
///
/// Aliasing: b must not overlap a; ado does not transpose in place.
///
/// Asynchrony: returns when the work is in the queue of exec. Neither allocates nor fences.
///
/// Cost: O(R C); reads a once, writes b once.
///
/// Accuracy: elements are moved bit by bit, so the result is exact, NaNs included.
///
/// There is no alpha: scale b afterwards, as with KokkosBlas::scal(b, alpha, b), or where it is
/// read.
///
/// Example:
///
///     Kokkos::View<double**> a("a", 4096, 1000), b("b", 1000, 4096);
///     ado::transpose(a, b);
template <class Exec, class A, class B>
void transpose(const Exec& exec, const A& a, const B& b) {
  static_assert(Kokkos::is_view_v<A>, "ado::transpose: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<B>, "ado::transpose: b is no Kokkos::View");
  using T = typename B::non_const_value_type;
  static_assert(detail::check_view<Exec, A, 2>());
  static_assert(detail::check_output<Exec, B, 2>());
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
  constexpr std::size_t alignment = detail::least_alignment<T>;
  if constexpr (alignment < alignof(E)) {
    const auto starts =
        reinterpret_cast<std::uintptr_t>(from.data) | reinterpret_cast<std::uintptr_t>(to.data);
    if (starts % alignof(E) != 0)
      return detail::transpose_elements<detail::LooseElement<sizeof(T), alignment>>(exec, from, to);
  }
  detail::transpose_elements<E>(exec, from, to);
}

/// The same on the default instance of b's execution space.
template <class A, class B>
void transpose(const A& a, const B& b) {
  ado::transpose(detail::default_instance<B>(), a, b);
}

} // namespace ado
