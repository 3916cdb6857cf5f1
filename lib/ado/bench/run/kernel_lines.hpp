// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a kernel's source is, and how much of it only one backend compiles.
#pragma once

#include <ado/registry/variant.hpp>

#include <string>
#include <string_view>

namespace ado::bench {

/// Lines that a CPU compiler or CUDA's turns into code, counted by benchmarks/kernel_lines.py.
struct KernelLines {
  std::string_view algorithm, variant;
  int all, of_one_backend;

  /// "23 %": the share of lines for one backend.
  std::string share_text() const;
};

/// Null: not counted. For ado's own algorithms it is there for each way to write Kokkos.
const KernelLines* kernel_lines(const Variant& variant);

} // namespace ado::bench
