// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between page-locked host memory and the device on a stream, as promised by
// Device::copy_in_on() and its siblings.
#pragma once

#include <ado/registry/variant.hpp>

#include <cstddef>

namespace ado::bench {

void cuda_copy_in(const Queue& on, void* device, const void* host, std::size_t pitch,
                  std::size_t bytes, std::size_t rows);
void cuda_copy_out(const Queue& on, void* host, std::size_t pitch, const void* device,
                   std::size_t bytes, std::size_t rows);
void cuda_fence(const Queue& on);

} // namespace ado::bench
