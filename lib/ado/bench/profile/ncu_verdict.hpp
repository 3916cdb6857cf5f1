// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --ncu-csv: what limits each kernel by Nsight Compute's counters, why, and which rung cures it.
#pragma once

#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/profile/ncu_csv.hpp>

#include <iosfwd>
#include <string>
#include <string_view>

namespace ado::bench {

struct NcuVerdict {
  std::string_view limiter; ///< as in limiter_by_rule(); empty: metrics are missing
  Cause cause = Cause::none;
  std::string reason; ///< one sentence
  std::string cure;   ///< a rung; empty: none
};

NcuVerdict judge(const NcuKernel& kernel, const std::vector<std::string>& of = {});

/// Prints the metrics that matter and the verdict, kernel by kernel.
void print_ncu(std::ostream& out, const std::vector<NcuKernel>& kernels,
               const std::vector<std::string>& of = {});

} // namespace ado::bench
