// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Before a loop that is to become SIMD instructions on a host. Without it GCC unrolls a loop of
/// four doubles before it looks for these, which is slower (docs/lab/constants.md#shared).
#ifdef _OPENMP
#define ADO_SIMD _Pragma("omp simd")
#else
#define ADO_SIMD
#endif
