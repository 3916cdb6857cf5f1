// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bilinear form y^T A x.
#pragma once

#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/yax/detail/team.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <type_traits>

namespace ado {

/// Workspace that yax needs on any device for an a of `rows` x `columns` elements of `element_bytes`, in either
/// layout.
inline std::size_t yax_workspace_bytes(std::size_t rows, std::size_t columns,
                                       std::size_t element_bytes) {
  std::size_t most = 0;
  for (const bool on_host : {false, true})
    for (const std::size_t count : {detail::yax_tiles(on_host, rows, columns, element_bytes).count,
                                    detail::yax_tiles(on_host, columns, rows, element_bytes).count})
      most = most < count ? count : most;
  return detail::checked_product({most, element_bytes}, "ado::yax: workspace");
}

/// result() = sum over i of y(i) * sum over j of a(i, j) * x(j).
///
/// y       (R), contiguous
/// a       (R, C), LayoutRight or LayoutLeft, any leading dimension
/// x       (C), contiguous
/// result  rank 0, in memory that `exec` can write; must not overlap the others
///
/// All have one element type, float or double. Any extents; an empty a gives 0. Asynchronous on `exec`.
/// With a workspace of yax_workspace_bytes() the call neither allocates nor fences; a smaller one is
/// enlarged first. O(R C): reads a once. The order of summation, and so the result, is the same on every
/// run. Throws InvalidArgument or OutOfMemory before anything is launched.
template <class Exec, class Y, class A, class X, class Result>
void yax(const Exec& exec, const Y& y, const A& a, const X& x, const Result& result,
         Workspace<Exec>& workspace) {
  using T = typename Result::non_const_value_type;
  detail::check_view<Exec, Y, 1>();
  detail::check_view<Exec, A, 2>();
  detail::check_view<Exec, X, 1>();
  detail::check_output<Exec, Result, 0>();
  detail::check_real<T>();
  static_assert(std::is_same_v<typename Y::non_const_value_type, T> &&
                    std::is_same_v<typename A::non_const_value_type, T> &&
                    std::is_same_v<typename X::non_const_value_type, T>,
                "ado::yax: y, a, x and result must have the same element type");
  detail::check_extent("yax", "y", y, 0, "a", a, a.extent(0));
  detail::check_extent("yax", "x", x, 0, "a", a, a.extent(1));
  const auto matrix = detail::matrix_ref("yax", "a", a);
  const T* left = detail::vector_ref("yax", "y", y);
  const T* right = detail::vector_ref("yax", "x", x);
  detail::YaxRef<T> problem{left, matrix.data, matrix.rows, matrix.columns, matrix.ld, right};
  // By columns, a is the row-major matrix a^T, and y^T a x = x^T a^T y.
  if (matrix.by_columns)
    problem = {right, matrix.data, matrix.columns, matrix.rows, matrix.ld, left};
  workspace.reserve(yax_workspace_bytes(matrix.rows, matrix.columns, sizeof(T)));
  Kokkos::Profiling::ScopedRegion region("ado::yax");
  detail::yax_team(exec, problem, workspace.template as<T>(), result.data());
}

/// The same with a workspace of its own: allocates, and fences `exec` before freeing it.
template <class Exec, class Y, class A, class X, class Result>
void yax(const Exec& exec, const Y& y, const A& a, const X& x, const Result& result) {
  Workspace<Exec> workspace;
  yax(exec, y, a, x, result, workspace);
  exec.fence("ado::yax: before its workspace is freed");
}

} // namespace ado
