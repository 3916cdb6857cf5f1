// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean of the vectors of each set.
#pragma once

#include <ado/average/team.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <type_traits>

namespace ado {

namespace detail {

/// v of shape (N, L, M) with contiguous vectors, or InvalidArgument.
template <class V>
auto vectors_ref(const char* function, const V& v) -> VectorsRef<typename V::non_const_value_type> {
  const std::size_t sets = v.extent(0), length = v.extent(1), count = v.extent(2);
  check_bytes<typename V::value_type>(function, "v", {sets, length, count});
  if (count > 1 && stride_of(v, 2) != 1)
    bad_strides(function, "v", v, "the last must be 1, so use a LayoutRight View");
  return {v.data(), sets, length, count, stride_of(v, 0), stride_of(v, 1)};
}

} // namespace detail

/// mean(n, l) = sum over m of v(n, l, m) / M.
///
/// v     (N, L, M), contiguous along M; rows and sets may lie further apart than they are long
/// mean  (N, L), LayoutRight, of v's element type (float or double); must not overlap v
///
/// Any extents; M = 0 gives NaN. Asynchronous on `exec`. With a workspace of
/// average_workspace_bytes() the call neither allocates nor fences; a smaller one is enlarged where
/// that is needed. Reads v once: O(N L M). The order of summation, so the result, does not change between runs.
/// Throws InvalidArgument or OutOfMemory before anything is launched. Error: at most
/// gamma_bound(average_team_steps<Exec, T>(N * L, M), u) times the mean of |v|.
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
  if (out.by_columns)
    detail::bad_strides("average", "mean", mean, "the last must be 1, so use a LayoutRight View");
  if (map_rows(runs_on_host<Exec>, vectors.sets * vectors.length, vectors.count, sizeof(T)).pieces >
      1)
    workspace.reserve(average_workspace_bytes(sizeof(T)));
  Kokkos::Profiling::ScopedRegion region("ado::average");
  average_team(exec, vectors, out.data, out.ld, workspace.template as<T>());
}

/// The same with a workspace of its own: where it needs one it allocates, and fences `exec` before
/// freeing it.
template <class Exec, class V, class Mean>
void average(const Exec& exec, const V& v, const Mean& mean) {
  Workspace<Exec> workspace;
  average(exec, v, mean, workspace);
  if (workspace.bytes() != 0) exec.fence("ado::average: before its workspace is freed");
}

} // namespace ado
