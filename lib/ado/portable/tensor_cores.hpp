// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of small matrices of doubles by the 32 lanes of a warp on tensor cores. These multiply
// and add doubles as exactly as other instructions do, and twice as fast. Kokkos has no such
// products.
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace ado::detail {

/// Whether tensor_multiply_add() is the faster way to multiply T in kernels of this space. It is
/// for doubles on NVIDIA's compute GPUs, from compute capability 8.0 on; and for floats where
/// tensor cores are as fast with doubles as other instructions are with floats, 9.0.
template <class Exec, class T>
inline constexpr bool tensor_cores_multiply = false;
#if defined(KOKKOS_ENABLE_CUDA) &&                                                                 \
    (defined(KOKKOS_ARCH_AMPERE80) || defined(KOKKOS_ARCH_HOPPER90) ||                             \
     defined(KOKKOS_ARCH_BLACKWELL100))
template <>
inline constexpr bool tensor_cores_multiply<Kokkos::Cuda, double> = true;
#ifdef KOKKOS_ARCH_HOPPER90
template <>
inline constexpr bool tensor_cores_multiply<Kokkos::Cuda, float> = true;
#endif
#endif

/// sum += a * b of 16 x 8 and 8 x 8 doubles by a warp. Lane t has: of sum, rows t / 4 and t / 4 + 8
/// at columns 2 (t % 4) and the next; of a, rows t / 4 and t / 4 + 8 at column t % 4, then the same
/// rows at t % 4 + 4; of b, column t / 4 at rows t % 4 and t % 4 + 4 (PTX ISA, mma.m16n8k8; it
/// takes four of m8n8k4). Does nothing where there are no tensor cores.
KOKKOS_INLINE_FUNCTION void tensor_multiply_add([[maybe_unused]] double (&sum)[4],
                                                [[maybe_unused]] const double (&a)[4],
                                                [[maybe_unused]] const double (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#pragma unroll
  for (int k = 0; k < 4; ++k)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(sum[k % 2 * 2]), "+d"(sum[k % 2 * 2 + 1])
        : "d"(a[k]), "d"(b[k / 2]));
#endif
}

} // namespace ado::detail
