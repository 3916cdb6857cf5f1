// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean of the vectors of each set.
#pragma once

#include <ado/average/detail/strided.hpp>
#include <ado/average/detail/team.hpp>
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

/// The most workspace that average needs, for elements of `element_bytes`. It needs workspace only for
/// few long vectors, which it sums piece by piece.
constexpr std::size_t average_workspace_bytes(std::size_t element_bytes) {
  return detail::max_row_pieces * element_bytes;
}

/// mean(n, l) = sum over m of v(n, l, m) / M.
///
/// v     (N, L, M), of any layout
/// mean  (N, L), LayoutRight or LayoutLeft, any leading dimension, of v's element type (float or
///       double); must not overlap v
///
/// Fastest if v is contiguous along M (LayoutRight; rows and sets may have gaps between them) and mean is
/// LayoutRight. Every other layout runs a kernel with one thread per mean: few long vectors then leave
/// most of a device idle.
///
/// Any extents; M = 0 gives NaN. Asynchronous on `exec`. With a workspace of average_workspace_bytes()
/// the call neither allocates nor fences; a smaller one is enlarged if necessary. Reads v once: O(N L M).
/// The order of summation, and so the result, is the same on every run. Throws InvalidArgument or
/// OutOfMemory before anything is launched. Error: at most gamma_k times the mean of |v| with k = M + 48;
/// far less where many threads share a row (rounding.hpp counts).
template <class Exec, class V, class Mean>
void average(const Exec& exec, const V& v, const Mean& mean, Workspace<Exec>& workspace) {
  using T = typename Mean::non_const_value_type;
  detail::check_view<Exec, V, 3>();
  detail::check_output<Exec, Mean, 2>();
  detail::check_real<T>();
  static_assert(std::is_same_v<typename V::non_const_value_type, T>,
                "ado::average: v and mean must have the same element type");
  detail::check_extent("average", "mean", mean, 0, "v", v, v.extent(0));
  detail::check_extent("average", "mean", mean, 1, "v", v, v.extent(1));
  const auto vectors = detail::vectors_ref("average", v);
  const auto out = detail::matrix_ref("average", "mean", mean);
  if (!detail::has_contiguous_vectors(v) || out.by_columns) {
    Kokkos::Profiling::ScopedRegion region("ado::average");
    return detail::average_any_strides(exec, v, out.data, out.row_stride(), out.column_stride());
  }
  if (detail::map_rows(detail::runs_on_host<Exec>, vectors.sets * vectors.length, vectors.count,
                       sizeof(T))
          .pieces > 1)
    workspace.reserve(average_workspace_bytes(sizeof(T)));
  Kokkos::Profiling::ScopedRegion region("ado::average");
  detail::average_team(exec, vectors, out.data, out.ld, workspace.template as<T>());
}

/// The same with a workspace of its own. If it needs one, it allocates it, and fences `exec` before
/// freeing it.
template <class Exec, class V, class Mean>
void average(const Exec& exec, const V& v, const Mean& mean) {
  Workspace<Exec> workspace;
  average(exec, v, mean, workspace);
  if (workspace.bytes() != 0) exec.fence("ado::average: before its workspace is freed");
}

} // namespace ado
