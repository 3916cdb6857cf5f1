// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Theoretical occupancy of a CUDA kernel.
#pragma once

#include <ado/bench/device/launch_facts.hpp>

#include <cuda_runtime_api.h>

namespace ado {

/// Fills in how many warps of the kernel fit a multiprocessor of `device` at once, and what limits
/// that. `carveout` is the share of L1 in percent that the kernel asked to have as shared memory, -1
/// where it left that to the driver.
void add_occupancy(LaunchFacts& facts, const cudaDeviceProp& device, int carveout);

} // namespace ado
