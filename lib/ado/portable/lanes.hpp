// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over neighbouring lanes of a GPU's warp, which hand each other what is in their registers.
// Kokkos has these shuffles under one name for CUDA and HIP, and for no other GPU.
#pragma once

#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

namespace ado::detail {

/// Whether lanes of a warp can read each other's registers.
template <class Exec>
inline constexpr bool has_shuffles = false;
#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool has_shuffles<Kokkos::Cuda> = true;
#endif
#ifdef KOKKOS_ENABLE_HIP
template <>
inline constexpr bool has_shuffles<Kokkos::HIP> = true;
#endif

/// Sum over each `lanes` neighbours, a power of two up to 32, of which every `apart`th counts. The
/// first of them gets it. Added as a tree of neighbours. The whole warp must call it.
template <int lanes, int apart, class T>
KOKKOS_FUNCTION T shuffled_sum(T value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  ADO_UNROLL
  for (int distance = apart; distance < lanes; distance *= 2)
    value += Kokkos::shfl_down(value, distance, lanes);
#endif
  return value;
}

} // namespace ado::detail
