// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

namespace ado {

/// Runs `work`, which must wait for what it launches, between cudaProfilerStart and cudaProfilerStop,
/// where profilers that were told so look, and in an NVTX range of that name.
void run_profiled(const std::string& range, const std::function<void()>& work);

} // namespace ado
