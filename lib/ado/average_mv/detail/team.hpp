// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `team`, which ado::average_mv calls. Its card: kokkos/team.cpp.
#pragma once

#include <ado/average/detail/team.hpp>
#include <ado/average_mv/detail/device_fused.hpp>
#include <ado/average_mv/detail/product.hpp>

#include <cstddef>

namespace ado::detail {

/// Launches both steps, in order on `exec`. The means go to `mean`; `partial` as in average_team.
template <class Exec, class T>
void average_mv_team(const Exec& exec, const VectorsRef<T>& v, T* partial, T* mean, Product<T> p) {
  if constexpr (tensor_cores_multiply<Exec, T>)
    if (fused_plan::fits<T>(v.sets, v.length, v.count))
      return device_fused::average_and_multiply(exec, v, p);
  average_team(exec, v, mean, v.length, partial);
  p.mean = mean;
  product_team(exec, p);
}

} // namespace ado::detail
