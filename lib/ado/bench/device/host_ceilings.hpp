// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest a CPU reads, writes, copies and computes, as hand-written loops: the limits that CPU
// kernels are measured against.
#pragma once

#include <cstddef>

namespace ado {

/// Sums `count` doubles, of data's `period` again and again, as Device::read_all does; one partial sum a thread goes
/// to result[thread].
void host_read(const double* data, std::size_t count, std::size_t period, double* result,
               int threads);
/// Fills past the cache where the CPU can: no line is read first.
void host_write(double* to, std::size_t count, int threads);
/// Copies, its stores likewise.
void host_copy(const double* from, double* to, std::size_t count, int threads);
/// Independent chains of `length` multiply-adds on every thread; one number a thread goes to
/// result[thread]. Returns the floating-point operations done. T is float or double.
template <class T>
double host_multiply_add(std::size_t length, T* result, int threads);
/// Bytes of the largest cache; 0 where the system does not tell.
std::size_t host_last_level_cache();

} // namespace ado
