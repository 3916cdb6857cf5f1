// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/profile/ncu_roofline.hpp>

#include <optional>

namespace ado::bench {
namespace {

/// Floating-point operations; a multiply-add counts as two. Absent if none were counted.
std::optional<double> operations(const NcuKernel& k) {
  std::optional<double> sum;
  for (const char* type : {"f", "d"})
    for (const auto& [name, weight] :
         {std::pair("add", 1), std::pair("mul", 1), std::pair("fma", 2)})
      if (const auto count = k.metric(std::string("smsp__sass_thread_inst_executed_op_") + type +
                                      name + "_pred_on.sum"))
        sum = sum.value_or(0) + weight * *count;
  return sum;
}

} // namespace

std::string roofline_text(const NcuKernel& kernel) {
  const auto work = operations(kernel), seconds = kernel.metric("gpu__time_duration.sum");
  if (!work || !seconds || *seconds <= 0) return "";
  std::string text = *work > 0 ? number("%.1f GFLOP/s", *work / *seconds / 1e9) : "";
  for (const auto& [level, metric] :
       {std::pair("DRAM", "dram__bytes.sum"), std::pair("L2", "lts__t_bytes.sum"),
        std::pair("L1", "l1tex__t_bytes.sum")}) {
    const auto bytes = kernel.metric(metric);
    const auto busy = kernel.metric(std::string(metric) + ".pct_of_peak_sustained_elapsed");
    if (!bytes || *bytes <= 0 || (*work <= 0 && !busy)) continue;
    text += (text.empty() ? "" : "; ") + std::string(level);
    if (*work > 0) text += number(" %.3g operations a byte", *work / *bytes) + (busy ? "," : "");
    if (busy) text += number(" %.0f %% of its bandwidth", *busy);
  }
  return text;
}

} // namespace ado::bench
