// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ado::bench {

/// "ado 0.1.0 (commit 0123abc, dirty)".
std::string version_text();
/// The commit of this build; "unknown" outside a checkout.
std::string build_commit();
/// The nvcc that compiled the CUDA kernels, "13.0.88"; empty: none did.
std::string build_nvcc();

} // namespace ado::bench
