// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ado {

/// A kernel's symbol as a person would call it: demangled, of a portable kernel the functor alone,
/// without namespaces and parameters, and without template arguments where it would be long.
std::string readable_kernel_name(const std::string& symbol);

} // namespace ado
