// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels a piece of work launches, as CUPTI, the profiling interface of the CUDA toolkit,
// sees them. So the registers of a Kokkos kernel are known without a look into Kokkos.
#pragma once

#include <ado/bench/device/launch_facts.hpp>

#include <cuda_runtime_api.h>

#include <functional>

namespace ado {

/// Runs `work`, which must wait for its kernels, and returns what it launched on `device`. Kernels
/// are traced during this call only, so no timing is disturbed. Where CUPTI refuses, because another
/// profiler is attached, say, `work` is not run.
Launches trace_launches(const std::function<void()>& work, const cudaDeviceProp& device);

} // namespace ado
