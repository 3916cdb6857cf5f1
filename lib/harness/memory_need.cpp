// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/host_memory.hpp>
#include <ado/harness/memory_need.hpp>
#include <ado/harness/number.hpp>
#include <ado/harness/results.hpp>

namespace ado {

double memory_need(const Problem& problem) {
  const ArraySpec output = problem.algorithm->arrays(problem.shape).back();
  return working_set(problem) +
         static_cast<double>(element_count(output)) * static_cast<double>(size_of(problem.type));
}

std::string memory_shortage(const Problem& problem, const Device& device) {
  const double needed = memory_need(problem);
  const auto shortage = [&](std::size_t free, const char* where) {
    if (needed <= static_cast<double>(free)) return std::string();
    return "out of memory: its arrays need " + number("%.1f GB, ", needed / 1e9) +
           number("%.1f GB are free", static_cast<double>(free) / 1e9) + where;
  };
  if (!device.on_host && !problem.algorithm->host_arrays)
    if (std::string why = shortage(device.memory_bytes, " on the GPU"); !why.empty()) return why;
  return shortage(available_host_memory(), device.on_host ? "" : " on the host");
}

} // namespace ado
