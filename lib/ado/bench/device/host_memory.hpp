// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/bench/device/device.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ado::bench {

/// What allocate_on_host() asks the system for, from 2 MiB on: pages of 2 MiB, or nothing, as
/// Kokkos does for a View. With pages of 4 KiB a transpose measures address translation, too.
enum class Pages { large, system };
/// Of all later allocations of this process; large, unless this is called.
void set_host_pages(Pages pages);
/// What they get: "2 MiB, those of a View 4 KiB".
std::string host_pages_text();

/// Uninitialized host memory in these pages. Large ones are aligned to 2 MiB, the rest to 256
/// bytes. Throws OutOfMemory, also if the system would only kill the program later.
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
