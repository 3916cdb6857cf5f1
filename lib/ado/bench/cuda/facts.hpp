// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// Names and values of what people ask first about a GPU, its driver and the code built for it.
/// Throws Error if CUDA refuses to tell.
std::vector<std::pair<std::string, std::string>> cuda_facts(int device);

} // namespace ado::bench
