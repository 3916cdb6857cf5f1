// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean of the vectors of each set.
#pragma once

#include <ado/average/detail/strided.hpp>
#include <ado/average/detail/tuned.hpp>
#include <ado/portable/row_sums.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <type_traits>

namespace ado {

namespace detail {

/// v of shape (N, L, M), or InvalidArgument. Only where has_contiguous_vectors.
template <class V>
auto vectors_ref(const char* function, const V& v) -> VectorsRef<typename V::non_const_value_type> {
  const std::size_t sets = v.extent(0), length = v.extent(1), count = v.extent(2);
  check_bytes<typename V::value_type>(function, "v", {sets, length, count});
  return {v.data(), sets, length, count, stride_of(v, 0), stride_of(v, 1)};
}

template <class V>
bool has_contiguous_vectors(const V& v) {
  return v.extent(2) <= 1 || stride_of(v, 2) == 1;
}

/// Calls average_strided for a View; means lie `set_stride` and `length_stride` apart.
template <class Exec, class V, class T>
void average_any_strides(const Exec& exec, const V& v, T* mean, std::size_t set_stride,
                         std::size_t length_stride) {
  average_strided(exec, static_cast<const T*>(v.data()), mean,
                  {v.extent(0), stride_of(v, 0), set_stride},
                  {v.extent(1), stride_of(v, 1), length_stride}, {v.extent(2), stride_of(v, 2)});
}

} // namespace detail

/// Bytes of workspace that average needs at most, for elements of `element_bytes`, whatever the
/// shape. It needs workspace only for few long vectors, which it sums piece by piece. Throws
/// nothing.
constexpr std::size_t average_workspace_bytes(std::size_t element_bytes) {
  return one::most_pieces_of_any * element_bytes;
}

namespace detail {

/// average of Views that fit, whose rows are some of `rows_of_all`.
template <class Exec, class V, class Mean>
void average_part(const Exec& exec, const V& v, const Mean& mean, Workspace<Exec>& workspace,
                  std::size_t rows_of_all) {
  using T = typename Mean::non_const_value_type;
  auto vectors = detail::vectors_ref("average", v);
  vectors.all = rows_of_all;
  const auto out = detail::matrix_ref("average", "mean", mean);
  if (!detail::has_contiguous_vectors(v) || out.by_columns) {
    Kokkos::Profiling::ScopedRegion region("ado::average");
    return detail::average_any_strides(exec, v, out.data, out.row_stride(), out.column_stride());
  }
  if (one::plan_rows<Exec>(rows_of_all, vectors.count, sizeof(T)).pieces > 1)
    workspace.reserve(average_workspace_bytes(sizeof(T)));
  Kokkos::Profiling::ScopedRegion region("ado::average");
  detail::average_tuned(exec, vectors, out.data, out.ld, workspace.template as<T>());
}

} // namespace detail

/// The mean of each vector: mean(n, l) = sum over m of v(n, l, m) / M.
///
/// \param exec       instance of an execution space that can access v and mean
/// \param v          shape (N, L, M), any layout and strides
/// \param mean       shape (N, L), LayoutRight or LayoutLeft, any leading dimension; is overwritten
/// \param workspace  temporary memory, average_workspace_bytes() at most; a smaller one is enlarged
///                   where the call needs it
/// \throws InvalidArgument  where shapes or strides do not fit, or the caller's memory in workspace
///                          is too small; before anything is launched
/// \throws OutOfMemory      where workspace cannot be enlarged; before anything is launched
///
/// Types: all elements are float, or all are double.
///
/// Shapes: any extents, counted in elements. Where M = 0, every mean is NaN.
///
/// Layouts: fastest if v is contiguous along M, as LayoutRight is, and mean is LayoutRight; there
/// may be gaps between rows and between sets. Every other layout, also LayoutLeft of either, runs a
/// kernel with one thread per mean: few long vectors then leave most of a device idle.
///
/// Aliasing: mean must not overlap v.
///
/// Asynchrony: returns when the work is in the queue of exec. Neither allocates nor fences if
/// workspace is large enough.
///
/// Cost: O(N L M); reads v once, writes mean once.
///
/// Accuracy: the order of summation is fixed, so every run gives the same bits. An error is at most
/// gamma_k = k u / (1 - k u) times the mean of |v(n, l, m)|, where k = M + 48 and u is half the
/// machine epsilon; far less where many threads share a vector.
///
/// Example:
///
///     Kokkos::View<float***, Kokkos::LayoutRight> v("v", 1000, 3, 512);
///     Kokkos::View<float**, Kokkos::LayoutRight> mean("mean", 1000, 3);
///     ado::average(v, mean);
template <class Exec, class V, class Mean>
void average(const Exec& exec, const V& v, const Mean& mean, Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<V>, "ado::average: v is no Kokkos::View");
  static_assert(Kokkos::is_view_v<Mean>, "ado::average: mean is no Kokkos::View");
  using T = typename Mean::non_const_value_type;
  static_assert(detail::check_view<Exec, V, 3>());
  static_assert(detail::check_output<Exec, Mean, 2>());
  static_assert(detail::check_real<T>());
  static_assert(std::is_same_v<typename V::non_const_value_type, T>,
                "ado::average: v and mean must have the same element type");
  detail::check_extent("average", "mean", mean, 0, "v", v, v.extent(0));
  detail::check_extent("average", "mean", mean, 1, "v", v, v.extent(1));
  detail::average_part(exec, v, mean, workspace, v.extent(0) * v.extent(1));
}

/// The same with a workspace of its own: if the call needs one, it allocates it, and fences exec
/// before freeing it.
template <class Exec, class V, class Mean>
void average(const Exec& exec, const V& v, const Mean& mean) {
  static_assert(detail::check_exec<Exec>());
  Workspace<Exec> workspace;
  ado::average(exec, v, mean, workspace);
  if (workspace.bytes() != 0) exec.fence("ado::average: before its workspace is freed");
}

/// The same on the default instance of mean's execution space.
template <class V, class Mean>
void average(const V& v, const Mean& mean) {
  ado::average(detail::default_instance<Mean>(), v, mean);
}

} // namespace ado
