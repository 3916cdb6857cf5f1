// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --stages: what the stages of each variant took, and how far they ran at the same time.
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/stage_report.hpp>
#include <ado/bench/report/timeline.hpp>

#include <ostream>

namespace ado {
namespace {

std::string milliseconds(double seconds) {
  return seconds > 0 ? number("%.3f", seconds * 1e3) : "-";
}

/// Why the stages of this run are not known; empty where they are.
std::string no_stages_because(const Results& results) {
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native})
      if (!m->stages.unknown_because.empty()) return m->stages.unknown_because;
  return "";
}

} // namespace

const std::vector<TextTable::Column>& stage_columns() {
  static const std::vector<TextTable::Column> columns{
      {"stages", false, "the variant, in one more run behind the timed ones"},
      {"allocate\nms", true, "device memory was had or given back"},
      {"prepare\nms", true, "the host made chunks ready, or read slices of files"},
      {"copy in\nms", true, "prepared chunks went to the device's memory"},
      {"compute\nms", true, "the kernel ran"},
      {"copy out\nms", true, "results came back"},
      {"store\nms", true, "the host put results where they belong"},
      {"elapsed\nms", true, "the whole run, from the first chunk to the last result in its place"},
      {"overlap", true,
       "all stages together over elapsed: how many were under way at a time; 1 or\n"
       "less: one after the other"},
      {"limit", false,
       "what was busy longest: the host, which allocates, prepares and stores, or a\n"
       "stage of the device; no other order of the same stages is faster"},
      {"limit /\nelapsed", true,
       "its part of the elapsed time; 1: everything else happens meanwhile, and\n"
       "only a shorter limit helps"}};
  return columns;
}

void print_stages(std::ostream& out, const Results& results) {
  TextTable table(stage_columns());
  std::string group;
  for (const Staged& one : staged_variants(results)) {
    if (const std::string problem = problem_text(one.row->problem, results); problem != group) {
      if (!group.empty()) table.add_gap();
      table.add_title(problem);
      group = problem;
    }
    const StageSums sums = sums_of(one.measurement->stages);
    std::vector<std::string> cells{"  " + one.name};
    for (const double seconds : sums.seconds)
      cells.push_back(milliseconds(seconds));
    cells.push_back(milliseconds(sums.elapsed));
    cells.push_back(number("%.2f", sums.overlap()));
    cells.emplace_back(sums.limit());
    cells.push_back(number("%.2f", sums.limit_share()));
    table.add(cells);
  }
  table.print(out);
  out << "ms in which at least one chunk was in that stage, of one run behind the timed ones\n";
  if (const std::string why = no_stages_because(results); !why.empty())
    out << "no stages: " << why << '\n';
}

} // namespace ado
