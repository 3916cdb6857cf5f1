// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where counters put a kernel under the roofs of memory and of both caches.
#pragma once

#include <ado/bench/profile/ncu_csv.hpp>

#include <string>
#include <vector>

namespace ado::bench {

/// What ncu must count for it besides its sections.
inline constexpr const char* roofline_metrics[] = {
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "dram__bytes.sum",
    "dram__bytes.sum.pct_of_peak_sustained_elapsed",
    "lts__t_bytes.sum",
    "lts__t_bytes.sum.pct_of_peak_sustained_elapsed",
    "l1tex__t_bytes.sum",
    "l1tex__t_bytes.sum.pct_of_peak_sustained_elapsed"};

/// "123 GFLOP/s; DRAM 0.25 operations a byte, 87 % of its bandwidth; L2 ...", for the levels that
/// the file has counters of; empty without operations or time.
std::string roofline_text(const NcuKernel& kernel);

} // namespace ado::bench
