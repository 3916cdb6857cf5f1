// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times the mean vector of each set.
#pragma once

#include <ado/average/average.hpp>
#include <ado/average_mv/detail/team.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <type_traits>

namespace ado {

/// Workspace that average_mv needs for v of shape (sets, length, *) with elements of `element_bytes`: the
/// workspace of average, the means and, if `a` is contiguous by columns, a row-major copy of it.
inline std::size_t average_mv_workspace_bytes(std::size_t sets, std::size_t length,
                                              std::size_t element_bytes,
                                              bool a_by_columns = false) {
  const char* what = "ado::average_mv: workspace";
  const std::size_t means = detail::checked_product({sets, length, element_bytes}, what);
  const std::size_t copy =
      a_by_columns ? detail::checked_product({length, length, element_bytes}, what) : 0;
  return detail::round_up(average_workspace_bytes(element_bytes), 256) +
         detail::round_up(means, 256) + copy;
}

/// y(i, n) = sum over j of a(i, j) * (sum over m of v(n, j, m) / M).
///
/// v  (N, L, M), of any layout, fastest contiguous along M (LayoutRight): see average
/// a  (L, L), LayoutRight or LayoutLeft, any leading dimension
/// y  (L, N), LayoutRight or LayoutLeft, any leading dimension; must not overlap v or a
///
/// All have one element type, float or double. Any extents; M = 0 gives NaN; with L = 0 or N = 0 nothing
/// happens. Asynchronous on `exec`. With a workspace of average_mv_workspace_bytes() the call neither
/// allocates nor fences; a smaller one is enlarged first. O(N L M + L^2 N). The order of summation, and
/// so the result, is the same on every run. Throws InvalidArgument or OutOfMemory before anything is
/// launched.
template <class Exec, class V, class A, class Y>
void average_mv(const Exec& exec, const V& v, const A& a, const Y& y, Workspace<Exec>& workspace) {
  using T = typename Y::non_const_value_type;
  detail::check_view<Exec, V, 3>();
  detail::check_view<Exec, A, 2>();
  detail::check_output<Exec, Y, 2>();
  detail::check_real<T>();
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
  T* const partial = workspace.template as<T>();
  T* const mean = partial + detail::round_up(average_workspace_bytes(sizeof(T)), 256) / sizeof(T);
  detail::Product<T> product{matrix.data,      matrix.ld,           mean,   out.data,
                             out.row_stride(), out.column_stride(), length, sets};
  Kokkos::Profiling::ScopedRegion region("ado::average_mv");
  if (matrix.by_columns) {
    T* const copy = mean + detail::round_up(sets * length * sizeof(T), 256) / sizeof(T);
    detail::transpose_team(exec, length, length, matrix.data, matrix.ld, copy, length);
    product.a = copy;
    product.lda = length;
  }
  if (detail::has_contiguous_vectors(v))
    return detail::average_mv_team(exec, vectors, partial, mean, product);
  detail::average_any_strides(exec, v, mean, length, 1);
  detail::product_team(exec, product);
}

/// The same with a workspace of its own: allocates, and fences `exec` before freeing it.
template <class Exec, class V, class A, class Y>
void average_mv(const Exec& exec, const V& v, const A& a, const Y& y) {
  Workspace<Exec> workspace;
  average_mv(exec, v, a, y, workspace);
  exec.fence("ado::average_mv: before its workspace is freed");
}

} // namespace ado
