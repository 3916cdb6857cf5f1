// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ado::bench {

/// A kernel's symbol in readable form: demangled, of a portable kernel only the functor, without
/// namespaces and parameters, and without template arguments if they are long.
std::string readable_kernel_name(const std::string& symbol);

/// The same for a demangled name. Names from files go here: demangling three hundred bytes can take
/// gigabytes.
std::string readable_demangled_name(const std::string& name);

} // namespace ado::bench
