// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast a CPU can read, write, copy and compute, as hand-written loops: the limits for CPU
// kernels.
#pragma once

#include <cstddef>

namespace ado::bench {

/// Sums `count` doubles, cycling through `period` of them as Device::read_all() does; each thread's
/// partial sum goes to result[thread].
void host_read(const double* data, std::size_t count, std::size_t period, double* result,
               int threads);
/// Fills with non-temporal stores if the CPU has them: no line is read first.
void host_write(double* to, std::size_t count, int threads);
/// Copies with the same stores.
void host_copy(const double* from, double* to, std::size_t count, int threads);
/// Independent chains of `length` multiply-adds on every thread, whose result goes to
/// result[thread]. Returns the floating-point operations done. T is float or double.
template <class T>
double host_multiply_add(std::size_t length, T* result, int threads);
/// Bytes of the largest cache; 0: unknown.
std::size_t host_last_level_cache();

} // namespace ado::bench
