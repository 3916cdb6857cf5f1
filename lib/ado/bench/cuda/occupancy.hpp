// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Theoretical occupancy of a CUDA kernel.
#pragma once

#include <ado/bench/device/launch_facts.hpp>

#include <cuda_runtime_api.h>

namespace ado::bench {

/// Fills in how many warps of the kernel fit one multiprocessor of `device`, and what limits that.
/// `carveout` is the percentage of L1 that the kernel wants as shared memory; -1 leaves it to the
/// driver.
void add_occupancy(LaunchFacts& facts, const cudaDeviceProp& device, int carveout);

} // namespace ado::bench
