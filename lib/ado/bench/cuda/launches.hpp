// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels a piece of work launches, seen through CUPTI, the CUDA toolkit's profiling
// interface. That shows the registers of a Kokkos kernel without a look into Kokkos.
#pragma once

#include <ado/bench/device/launch_facts.hpp>

#include <cuda_runtime_api.h>

#include <functional>

namespace ado::bench {

/// Runs `work`, which must wait for its kernels, and returns what it launched on `device`. Traces
/// only during this call, so no timing is disturbed. If CUPTI refuses, say because another profiler
/// is attached, `work` does not run.
Launches trace_launches(const std::function<void()>& work, const cudaDeviceProp& device);

} // namespace ado::bench
