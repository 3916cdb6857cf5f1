// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --launches: what each variant launched on the GPU.
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/stats/statistics.hpp>

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

const std::vector<TextTable::Column>& launch_columns() {
  static const std::vector<TextTable::Column> columns{
      {"launches", false, "the variant, once, beside the first kernel that it launches"},
      {"kernel", false,
       "its name; of a portable kernel the functor, for all of them are instances\n"
       "of Kokkos' launchers"},
      {"grid", true, "blocks"},
      {"block", true, "threads of a block"},
      {"registers\na thread", true, "of which a multiprocessor has 65536"},
      {"shared bytes\nstatic", true, "shared memory of a block that is in the code"},
      {"\ndynamic", true, "shared memory of a block, Kokkos' scratch, asked for at launch"},
      {"local bytes\na thread", true,
       "arrays on the stack of a thread and registers that were spilled"},
      {"theoretical\noccupancy", true,
       "warps that fit a multiprocessor at once, of those that it can hold"},
      {"limited by", false,
       "what keeps more warps from fitting: registers, shared memory, block size\n"
       "or number of blocks"},
      {"host us\nto launch all", true,
       "what the host took to launch all kernels of one call, which times on a GPU\n"
       "do not contain"}};
  return columns;
}

void print_launches(std::ostream& out, const Results& results) {
  TextTable table(launch_columns());
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
