// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/bench/device/device.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ado::bench {

/// Uninitialized host memory, in large pages if the system gives them: with 4 KiB pages a transpose
/// measures address translation. Aligned to 2 MiB, small pieces to 256 bytes. Throws OutOfMemory,
/// also if the system would only kill the program later.
DeviceMemory allocate_on_host(std::size_t bytes, const std::string& label);

/// Device::fill, Device::flip and Device::checksum for host memory, on all threads.
void host_fill(void* memory, std::size_t bytes, std::uint64_t pattern);
void host_flip(void* memory, std::size_t bytes, std::uint64_t mask);
std::uint64_t host_checksum(const void* memory, std::size_t bytes);

/// Copies `rows` rows of `bytes`, which begin `to_pitch` and `from_pitch` bytes apart.
void host_copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t bytes, std::size_t rows, int threads);

/// Threads of an OpenMP parallel region.
int host_threads();

/// Bytes that this process may still use: free memory, caches, and the container's limit.
std::size_t available_host_memory();

/// Threads that wanted to run in the last minute; negative: unknown.
double host_load_average();

} // namespace ado::bench
