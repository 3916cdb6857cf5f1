// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ado {

/// What a person asks first about a GPU, its driver and the code that was built for it, by name.
/// Throws Error where CUDA refuses to tell.
std::vector<std::pair<std::string, std::string>> cuda_facts(int device);

} // namespace ado
