// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --launches: what each variant launched on the GPU.
#include <ado/harness/number.hpp>
#include <ado/harness/plan.hpp>
#include <ado/harness/report.hpp>
#include <ado/harness/statistics.hpp>
#include <ado/harness/text_table.hpp>

#include <cstdio>
#include <ostream>

namespace ado {
namespace {

/// "64", "64 x 2", "64 x 2 x 8": without the dimensions that are not used.
std::string extents(const std::array<int, 3>& size) {
  std::string text = std::to_string(size[0]);
  if (size[1] > 1 || size[2] > 1) text += " x " + std::to_string(size[1]);
  if (size[2] > 1) text += " x " + std::to_string(size[2]);
  return text;
}

std::string occupancy_text(const LaunchFacts& facts) {
  if (facts.maximum_warps == 0) return "unknown";
  char text[64];
  std::snprintf(text, sizeof text, "%d of %d warps, %3.0f %%", facts.resident_warps,
                facts.maximum_warps, 100 * facts.occupancy());
  return text;
}

void add_lines(TextTable& table, const Measurement& m) {
  std::string variant = "  " + full_name(*m.variant);
  std::string host_time = number("%.1f", median(m.host_seconds) * 1e6);
  for (const LaunchFacts& facts : m.launches.kernels) {
    table.add({variant, facts.kernel, extents(facts.grid), extents(facts.block),
               std::to_string(facts.registers), std::to_string(facts.static_shared_bytes),
               std::to_string(facts.dynamic_shared_bytes), std::to_string(facts.local_bytes),
               occupancy_text(facts), facts.limited_by, host_time});
    variant.clear(); // name and time stand once, beside the first kernel
    host_time.clear();
  }
  if (m.launches.kernels.empty()) table.add({variant, "no kernel"});
}

} // namespace

void print_launches(std::ostream& out, const Results& results) {
  TextTable table({{"launches"},
                   {"kernel"},
                   {"grid", true},
                   {"block", true},
                   {"registers\na thread", true},
                   {"shared bytes\nstatic", true},
                   {"\ndynamic", true},
                   {"local bytes\na thread", true},
                   {"theoretical\noccupancy", true},
                   {"limited by"},
                   {"host us\nto launch all", true}});
  std::string group;
  for (const RowResult& row : results.rows) {
    if (const std::string problem = problem_text(row.problem, results); problem != group) {
      if (!group.empty()) table.add_gap();
      table.add_title(problem);
      group = problem;
    }
    for (const Measurement* m : {&row.portable, &row.native})
      if (!m->seconds.empty() && m->launches.unknown_because.empty()) add_lines(table, *m);
  }
  table.print(out);
  out << "local bytes: arrays on the stack of a thread and registers that were spilled\n";
}

} // namespace ado
