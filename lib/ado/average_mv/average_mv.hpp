// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times the mean vector of each set.
#pragma once

#include <ado/average_mv/detail/tuned.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <type_traits>

namespace ado {

/// Bytes of workspace that average_mv needs for v of shape (sets, length, *) with elements of
/// `element_bytes`: the workspace of average, the means, and up to 7 MB for the sums of splits. If
/// `a_by_columns` says that a is contiguous by columns, as LayoutLeft is, a row-major copy of it
/// comes on top. Throws InvalidArgument where they do not fit in 64 bits.
inline std::size_t average_mv_workspace_bytes(std::size_t sets, std::size_t length,
                                              std::size_t element_bytes,
                                              bool a_by_columns = false) {
  const std::size_t copy = a_by_columns ? detail::checked_product({length, length, element_bytes},
                                                                  "ado::average_mv: workspace")
                                        : 0;
  return detail::average_mv_bytes(sets, length, element_bytes) + copy;
}

namespace detail {

/// The product of rows of `a` and the means of `sets` sets, whose place is not known yet.
template <class A, class T>
Product<T> product_of(const MatrixRef<A>& a, const MatrixRef<T>& y, std::size_t sets) {
  return {.a = a.data,
          .lda = a.ld,
          .mean = nullptr,
          .y = y.data,
          .y_row = y.row_stride(),
          .y_column = y.column_stride(),
          .length = a.columns,
          .sets = sets,
          .rows = a.rows};
}

/// Copies a, which lies by columns, by rows to `copy`, which the product reads from then on.
template <class Exec, class T>
void turn_a(const Exec& exec, Product<T>& p, T* copy) {
  transpose_tuned(exec, p.length, p.rows, p.a, p.lda, copy, p.length);
  p.a = copy;
  p.lda = p.length;
}

} // namespace detail

/// A matrix times the mean vector of each set: y(i, n) = sum over j of a(i, j) * mean(n, j), where
/// mean(n, j) = sum over m of v(n, j, m) / M.
///
/// \param exec       instance of an execution space that can access v, a and y
/// \param v          shape (N, L, M), any layout and strides
/// \param a          shape (L, L), LayoutRight or LayoutLeft, any leading dimension
/// \param y          shape (L, N), LayoutRight or LayoutLeft, any leading dimension; is overwritten
/// \param workspace  temporary memory, average_mv_workspace_bytes(); a smaller one is enlarged
///                   first
/// \throws InvalidArgument  where shapes or strides do not fit, or the caller's memory in workspace
///                          is too small; before anything is launched
/// \throws OutOfMemory      where workspace cannot be enlarged; before anything is launched
///
/// Types: all elements are float, or all are double.
///
/// Shapes: any extents, counted in elements. Where M = 0, every element of y is NaN; where L = 0 or
/// N = 0, nothing happens.
///
/// Layouts: v is read fastest if it is contiguous along M, as LayoutRight is; every other layout,
/// also LayoutLeft, takes the slower path that average() has for it. If a is LayoutLeft, it is
/// copied first.
///
/// Aliasing: y must not overlap v or a.
///
/// Asynchrony: returns when the work is in the queue of exec. Neither allocates nor fences if
/// workspace is large enough.
///
/// Cost: O(N L M + L^2 N); reads v once.
///
/// Accuracy: the order of summation is fixed, so every run gives the same bits. An error is at most
/// gamma_k = k u / (1 - k u) times the sum over j of |a(i, j)| times the mean of |v(n, j, m)|,
/// where k = M + 2 L + 64 and u is half the machine epsilon.
///
/// There is no alpha and no beta. For alpha * a * mean^T + beta * y call average(), then
/// KokkosBlas::gemm("N", "T", alpha, a, mean, beta, y).
///
/// Example:
///
///     Kokkos::View<float***, Kokkos::LayoutRight> v("v", 1000, 3, 512);
///     Kokkos::View<float**, Kokkos::LayoutRight> a("a", 3, 3), y("y", 3, 1000);
///     ado::average_mv(v, a, y);
template <class Exec, class V, class A, class Y>
void average_mv(const Exec& exec, const V& v, const A& a, const Y& y, Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<V>, "ado::average_mv: v is no Kokkos::View");
  static_assert(Kokkos::is_view_v<A>, "ado::average_mv: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<Y>, "ado::average_mv: y is no Kokkos::View");
  using T = typename Y::non_const_value_type;
  static_assert(detail::check_view<Exec, V, 3>());
  static_assert(detail::check_view<Exec, A, 2>());
  static_assert(detail::check_output<Exec, Y, 2>());
  static_assert(detail::check_real<T>());
  static_assert(std::is_same_v<typename V::non_const_value_type, T> &&
                    std::is_same_v<typename A::non_const_value_type, T>,
                "ado::average_mv: v, a and y must have the same element type");
  const std::size_t sets = v.extent(0), length = v.extent(1);
  detail::check_extent("average_mv", "a", a, 0, "v", v, length);
  detail::check_extent("average_mv", "a", a, 1, "v", v, length);
  detail::check_extent("average_mv", "y", y, 0, "v", v, length);
  detail::check_extent("average_mv", "y", y, 1, "v", v, sets);
  const auto vectors = detail::vectors_ref("average_mv", v);
  const auto matrix = detail::matrix_ref("average_mv", "a", a);
  const auto out = detail::matrix_ref("average_mv", "y", y);
  if (length == 0 || sets == 0) return;

  workspace.reserve(average_mv_workspace_bytes(sets, length, sizeof(T), matrix.by_columns));
  T* const memory = workspace.template as<T>();
  auto product = detail::product_of(matrix, out, sets);
  Kokkos::Profiling::ScopedRegion region("ado::average_mv");
  if (matrix.by_columns)
    detail::turn_a(exec, product,
                   memory + detail::average_mv_bytes(sets, length, sizeof(T)) / sizeof(T));
  detail::average_mv_part(exec, v, vectors, product, memory);
}

/// The same with a workspace of its own: allocates it, and fences exec before freeing it.
template <class Exec, class V, class A, class Y>
void average_mv(const Exec& exec, const V& v, const A& a, const Y& y) {
  static_assert(detail::check_exec<Exec>());
  Workspace<Exec> workspace;
  ado::average_mv(exec, v, a, y, workspace);
  exec.fence("ado::average_mv: before its workspace is freed");
}

/// The same on the default instance of y's execution space.
template <class V, class A, class Y>
void average_mv(const V& v, const A& a, const Y& y) {
  ado::average_mv(detail::default_instance<Y>(), v, a, y);
}

} // namespace ado
