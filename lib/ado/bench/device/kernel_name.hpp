// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ado {

/// A kernel's symbol as a person would call it: demangled, of a portable kernel the functor alone,
/// without namespaces and parameters, and without template arguments where it would be long.
std::string readable_kernel_name(const std::string& symbol);

/// The same of a name that is demangled already. Names out of a file go here: three hundred bytes of
/// a symbol can mean gigabytes of its name.
std::string readable_demangled_name(const std::string& name);

} // namespace ado
