// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --stages: how long each variant's stages took, and how far they overlapped.
#include <ado/bench/io/number.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/stage_report.hpp>
#include <ado/bench/report/timeline.hpp>

#include <algorithm>
#include <ostream>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;
using StageField = Field<StageTimes>;

std::string milliseconds(double seconds) { return seconds > 0 ? four_digits(seconds * 1e3) : "-"; }

template <Stage stage>
StageField stage_field(const char* meaning) {
  std::string name(name_of(stage)), json = name + "_seconds";
  std::replace(json.begin(), json.end(), ' ', '_');
  return {.meaning = meaning,
          .value = [](const StageTimes& times) -> Json { return sums_of(times).of(stage); },
          .json = json,
          .shown = {{.title = name + "\nms", .right = true, .cell = [](const StageTimes& times) {
                       return milliseconds(sums_of(times).of(stage));
                     }}}};
}

/// Why the stages of this run are unknown; empty: they are known.
std::string no_stages_because(const Results& results) {
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native})
      if (!m->stages.unknown_because.empty()) return m->stages.unknown_because;
  return "";
}

} // namespace

const std::vector<StageField>& stage_fields() {
  static const std::vector<StageField> fields{
      stage_field<Stage::allocate>("device memory was had or given back"),
      stage_field<Stage::prepare>("the host made chunks ready, or read slices of files"),
      stage_field<Stage::copy_in>("prepared chunks went to the device's memory"),
      stage_field<Stage::compute>("the kernel ran"),
      stage_field<Stage::copy_out>("results came back"),
      stage_field<Stage::store>("the host put results where they belong"),
      {.meaning = "the whole run, from the first chunk to the last result in its place",
       .value = [](const StageTimes& times) -> Json { return times.elapsed; },
       .json = "elapsed_seconds",
       .shown = {{.title = "elapsed\nms",
                  .right = true,
                  .cell = [](const StageTimes& times) { return milliseconds(times.elapsed); }}}},
      {.meaning =
           "all stages together over elapsed: how many ran at a time; 1 or less: one after the "
           "other",
       .value = [](const StageTimes& times) -> Json { return sums_of(times).overlap(); },
       .json = "overlap",
       .shown = {{.title = "overlap",
                  .right = true,
                  .cell =
                      [](const StageTimes& times) {
                        return number("%.2f", sums_of(times).overlap());
                      }}}},
      {.meaning = "what the host's stages took: allocate, prepare and store",
       .value = [](const StageTimes& times) -> Json { return sums_of(times).host; },
       .json = "host_seconds"},
      {.meaning =
           "what was busy longest: the host, which allocates, prepares and stores, or a stage "
           "of the device; no other order of the same stages is faster",
       .value = [](const StageTimes& times) -> Json { return sums_of(times).limit(); },
       .json = "limit",
       .shown =
           {{.title = "limit",
             .cell = [](const StageTimes& times) { return std::string(sums_of(times).limit()); }}}},
      {.meaning = "its part of the elapsed time; 1: everything else happens meanwhile, and only a "
                  "shorter limit helps",
       .value = [](const StageTimes& times) -> Json { return sums_of(times).limit_share(); },
       .json = "limit_over_elapsed",
       .shown = {{.title = "limit /\nelapsed", .right = true, .cell = [](const StageTimes& times) {
                    return number("%.2f", sums_of(times).limit_share());
                  }}}}};
  return fields;
}

void print_stages(std::ostream& out, const Results& results) {
  std::vector<TextTable::Column> columns = columns_of(stage_fields());
  columns.insert(columns.begin(), {"stages"});
  TextTable table(columns);
  std::string group;
  for (const Staged& one : staged_variants(results)) {
    if (const std::string problem = problem_text(one.row->problem, results); problem != group) {
      if (!group.empty()) table.add_gap();
      table.add_title(problem);
      group = problem;
    }
    std::vector<std::string> cells = cells_of(stage_fields(), one.measurement->stages);
    cells.insert(cells.begin(), "  " + one.name);
    table.add(cells);
  }
  table.print(out);
  out << "ms in which at least one chunk was in that stage, of one run behind the timed ones\n";
  if (const std::string why = no_stages_because(results); !why.empty())
    out << "no stages: " << why << '\n';
}

} // namespace ado::bench
