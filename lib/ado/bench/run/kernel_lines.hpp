// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the source of a kernel is, and how much of it only one backend compiles.
#pragma once

#include <ado/core/variant.hpp>

#include <string>
#include <string_view>

namespace ado {

/// Lines that a CPU's compiler and CUDA's make code of, as benchmarks/kernel_lines.py counts them.
struct KernelLines {
  std::string_view algorithm, variant;
  int all, of_one_backend;

  /// "23 %": of the lines, those of one backend.
  std::string share_text() const;
};

/// Null where nobody counted: each way to write Kokkos has it, in ado's own algorithms.
const KernelLines* kernel_lines(const Variant& variant);

} // namespace ado
