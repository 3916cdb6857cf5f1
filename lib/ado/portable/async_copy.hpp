// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies from global memory into scratch that bypass the registers and need not be waited for at
// once, on GPUs that have them (CUDA, from compute capability 8.0); plain copies everywhere else.
// Kokkos has no such copy.
#pragma once

#include <Kokkos_Core.hpp>

#ifdef __CUDA_ARCH__
#include <cuda_pipeline_primitives.h>
#endif

namespace ado::detail {

/// Starts to copy 4, 8 or 16 bytes, aligned to that size. If not `valid`, it writes zeros and does
/// not read `from`. The copies that all copying threads start up to their next close_copies() form
/// a group. through_l1: other copies by the same multiprocessor find neighbouring bytes there.
/// CUDA's function leads 16 bytes past L1.
template <int bytes, bool through_l1 = false>
KOKKOS_INLINE_FUNCTION void start_copy(void* scratch, const void* from, bool valid) {
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
  if constexpr (through_l1 && bytes == 16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(scratch))), "l"(from),
                   "r"(valid ? bytes : 0)
                 : "memory");
  else
#endif
    __pipeline_memcpy_async(scratch, from, bytes, valid ? 0 : bytes);
#else
  struct alignas(bytes) Piece {
    unsigned word[bytes / 4];
  };
  *static_cast<Piece*>(scratch) = valid ? *static_cast<const Piece*>(from) : Piece{};
#endif
}

KOKKOS_INLINE_FUNCTION void close_copies() {
#ifdef __CUDA_ARCH__
  __pipeline_commit();
#endif
}

/// Waits for this thread's copies, except the last `under_way` groups. A barrier then makes them
/// visible to the team.
template <int under_way>
KOKKOS_INLINE_FUNCTION void wait_for_copies() {
#ifdef __CUDA_ARCH__
  __pipeline_wait_prior(under_way);
#endif
}

} // namespace ado::detail
