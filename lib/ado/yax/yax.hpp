// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bilinear form y^T A x.
#pragma once

#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/yax/detail/tuned.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <type_traits>

namespace ado {

/// Bytes of workspace that yax needs, on any device, for an a of `rows` x `columns` elements of
/// `element_bytes` in either layout. Throws InvalidArgument where they do not fit in 64 bits.
inline std::size_t yax_workspace_bytes(std::size_t rows, std::size_t columns,
                                       std::size_t element_bytes) {
  std::size_t most = 0;
  for (const bool on_host : {false, true})
    for (const std::size_t count : {detail::yax_tiles(on_host, rows, columns, element_bytes).count,
                                    detail::yax_tiles(on_host, columns, rows, element_bytes).count})
      most = most < count ? count : most;
  return detail::checked_product({most + detail::counted_bytes / element_bytes, element_bytes},
                                 "ado::yax: workspace");
}

namespace detail {

/// What a call needs of that: the sums of its tiles, and a counter.
inline std::size_t yax_bytes(const YaxTiles& tiles, std::size_t element_bytes) {
  return counted_bytes + tiles.count * element_bytes;
}

} // namespace detail

/// The bilinear form y^T a x: result() = sum over i of y(i) * sum over j of a(i, j) * x(j).
///
/// \param exec       instance of an execution space that can access y, a, x and result
/// \param y          shape (R), any layout of stride 1
/// \param a          shape (R, C), LayoutRight or LayoutLeft, any leading dimension
/// \param x          shape (C), any layout of stride 1
/// \param result     rank 0; is overwritten
/// \param workspace  temporary memory, yax_workspace_bytes() at most; a smaller one is enlarged
///                   where the call needs it
/// \throws InvalidArgument  where shapes or strides do not fit, or the caller's memory in workspace
///                          is too small; before anything is launched
/// \throws OutOfMemory      where workspace cannot be enlarged; before anything is launched
///
/// Types: all elements are float, or all are double.
///
/// Shapes: any extents, counted in elements. An empty a gives 0.
///
/// Layouts: both layouts of a are equally fast. A row of a LayoutLeft matrix is no y or x, for its
/// stride is not 1; copy it first.
///
/// Aliasing: result must not overlap the others; these may overlap each other.
///
/// Asynchrony: returns when the work is in the queue of exec. Neither allocates nor fences if
/// workspace is large enough. Calls one after the other with the same workspace are fastest: the
/// first one on a GPU sets a counter in it to zero.
///
/// Cost: O(R C); reads a once.
///
/// Accuracy: the order of summation is fixed, so every run gives the same bits. An error is at most
/// gamma_k = k u / (1 - k u) times the sum over i and j of |y(i) a(i, j) x(j)|, where k = R + C +
/// 64 and u is half the machine epsilon; far less where many threads share a row.
///
/// Example, one number, and a loop that never waits for its:
///
///     Kokkos::View<double*> y("y", 1000), x("x", 500);
///     Kokkos::View<double**> a("a", 1000, 500);
///     const double number = ado::yax(y, a, x);
///
///     Kokkos::View<double> result("result");
///     Kokkos::DefaultExecutionSpace exec;
///     ado::Workspace<Kokkos::DefaultExecutionSpace> workspace;
///     for (int step = 0; step < 100; ++step)
///       ado::yax(exec, y, a, x, result, workspace);
template <class Exec, class Y, class A, class X, class Result>
void yax(const Exec& exec, const Y& y, const A& a, const X& x, const Result& result,
         Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<Y>, "ado::yax: y is no Kokkos::View");
  static_assert(Kokkos::is_view_v<A>, "ado::yax: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<X>, "ado::yax: x is no Kokkos::View");
  static_assert(Kokkos::is_view_v<Result>, "ado::yax: result is no Kokkos::View");
  using T = typename Result::non_const_value_type;
  static_assert(detail::check_view<Exec, Y, 1>());
  static_assert(detail::check_view<Exec, A, 2>());
  static_assert(detail::check_view<Exec, X, 1>());
  static_assert(detail::check_output<Exec, Result, 0>());
  static_assert(detail::check_real<T>());
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
  const auto tiles =
      detail::yax_tiles(detail::runs_on_host<Exec>, problem.rows, problem.columns, sizeof(T));
  // Only where memory is missing is the size for either layout worked out: its four plans take as
  // long as a launch.
  if (workspace.bytes() < detail::yax_bytes(tiles, sizeof(T)))
    workspace.reserve(yax_workspace_bytes(matrix.rows, matrix.columns, sizeof(T)));
  Kokkos::Profiling::ScopedRegion region("ado::yax");
  detail::yax_tuned(exec, problem, tiles, workspace, result.data());
}

/// The same with a workspace of its own: allocates it, and fences exec before freeing it.
template <class Exec, class Y, class A, class X, class Result>
void yax(const Exec& exec, const Y& y, const A& a, const X& x, const Result& result) {
  static_assert(detail::check_exec<Exec>());
  Workspace<Exec> workspace;
  ado::yax(exec, y, a, x, result, workspace);
  exec.fence("ado::yax: before its workspace is freed");
}

/// The same on the default instance of a's execution space.
template <class Y, class A, class X, class Result>
requires(!Kokkos::is_execution_space_v<Y>) void yax(const Y& y, const A& a, const X& x,
                                                    const Result& result) {
  ado::yax(detail::default_instance<A>(), y, a, x, result);
}

/// Returns the number, of a's element type, to the host: allocates, and waits for exec.
template <class Exec, class Y, class A, class X>
requires Kokkos::is_execution_space_v<Exec>
auto yax(const Exec& exec, const Y& y, const A& a, const X& x) {
  static_assert(Kokkos::is_view_v<A>, "ado::yax: a is no Kokkos::View");
  using T = typename A::non_const_value_type;
  using Result =
      Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::size_t sums = yax_workspace_bytes(a.extent(0), a.extent(1), sizeof(T));
  Workspace<Exec> workspace(sums + sizeof(T)); // the result lies behind the sums
  const Result result(workspace.template as<T>() + sums / sizeof(T));
  ado::yax(exec, y, a, x, result, workspace);
  T value;
  Kokkos::deep_copy(exec, value, result);
  exec.fence("ado::yax: before its value is returned");
  return value;
}

/// Returns the number, on the default instance of a's execution space.
template <class Y, class A, class X>
auto yax(const Y& y, const A& a, const X& x) {
  return ado::yax(detail::default_instance<A>(), y, a, x);
}

} // namespace ado
