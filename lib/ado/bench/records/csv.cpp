// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/csv.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/core/registry.hpp>

#include <algorithm>
#include <optional>

namespace ado {
namespace {

/// What a line of the file is about.
struct Line {
  const Results& results;
  const RunFacts& run;
  const RowResult& row;
  const Measurement& m;

  bool timed() const { return !m.seconds.empty(); }
};

/// A column, what it means, and its text in a line. A fact that a line does not have is an empty field.
struct Column {
  std::string title, meaning;
  std::string (*text)(const Line&);
};

const char* yes_or_no(bool yes) { return yes ? "true" : "false"; }

std::string launch_parameter(bool taken, int value) {
  return taken && value > 0 ? std::to_string(value) : "";
}

template <int percent>
std::string seconds_quantile(const Line& line) {
  return line.timed() ? csv_number(quantile(line.m.seconds, percent / 100.0)) : "";
}

/// A ratio may be missing, and its interval too.
template <double Ratio::*part>
std::string part_of(const std::optional<Ratio>& ratio) {
  if (!ratio) return "";
  return part == &Ratio::value || ratio->has_interval() ? csv_number((*ratio).*part) : "";
}

/// In the lines of the portable variants.
template <double Ratio::*part>
std::string ratio_part(const Line& line) {
  return &line.m == &line.row.portable ? part_of<part>(portable_over_native(line.row)) : "";
}

template <double Ratio::*part>
std::string speedup_part(const Line& line) {
  return part_of<part>(speedup(line.row, line.m));
}

/// Of a row that was streamed.
template <std::size_t StreamFacts::*part>
std::string stream_part(const Line& line) {
  return line.row.streamed ? std::to_string((*line.row.streamed).*part) : "";
}

const std::vector<Column> what_ran{
    {"algorithm", "what was computed",
     [](const Line& l) { return std::string(l.row.problem.algorithm->name); }},
    {"model", "who wrote the variant, or whose library it calls",
     [](const Line& l) { return std::string(name_of(l.m.variant->model)); }},
    {"variant", "its name, as --list shows it",
     [](const Line& l) { return std::string(l.m.variant->name); }},
    {"type", "of the elements",
     [](const Line& l) { return std::string(name_of(l.row.problem.type)); }}};

const std::vector<Column> outcome{
    {"team_size", "threads of a team, where the row sets it",
     [](const Line& l) {
       return launch_parameter(l.m.variant->takes_team_size, l.row.launch.team_size);
     }},
    {"league_size", "teams, where the row sets it",
     [](const Line& l) {
       return launch_parameter(l.m.variant->takes_league_size, l.row.launch.league_size);
     }},
    {"stride", "elements between those that neighbouring lanes touch, where the row sets it",
     [](const Line& l) {
       return launch_parameter(l.m.variant->takes_stride, l.row.launch.stride);
     }},
    {"verified", "whether the result was right; what was not, or did not run, has no times",
     [](const Line& l) { return std::string(yes_or_no(l.m.verified())); }},
    {"reason", "why there are no times, or why they are not verified",
     [](const Line& l) { return !l.m.failure.empty() ? l.m.failure : l.m.unverified; }},
    {"median_seconds", "median of the timed runs", seconds_quantile<50>},
    {"first_quartile_seconds", "a quarter of the timed runs took less", seconds_quantile<25>},
    {"third_quartile_seconds", "a quarter of the timed runs took more", seconds_quantile<75>},
    {"least_seconds", "the fastest timed run", seconds_quantile<0>},
    {"repetitions", "how many timed runs",
     [](const Line& l) { return std::to_string(l.m.seconds.size()); }},
    {"stopped_by", "the rule or limit that ended the timed runs",
     [](const Line& l) { return l.m.stopped_by; }},
    {"portable_over_native", "time over time, run by run; in lines of portable variants",
     ratio_part<&Ratio::value>},
    {"portable_over_native_low", "lower end of its 95 % interval", ratio_part<&Ratio::low>},
    {"portable_over_native_high", "upper end of its 95 % interval", ratio_part<&Ratio::high>},
    {"seconds_with_transfers", "one run with the copies from and to host memory; of a GPU",
     [](const Line& l) {
       return l.m.with_transfers > 0 ? csv_number(l.m.with_transfers) : std::string();
     }},
    {"bytes", "every input and output moved once",
     [](const Line& l) { return csv_number(l.row.traffic().bytes()); }},
    {"flops", "floating-point operations of the formula",
     [](const Line& l) { return csv_number(l.row.traffic().flops); }},
    {"bytes_per_second", "bytes over the median",
     [](const Line& l) {
       return l.timed() ? csv_number(l.row.traffic().bytes() / median(l.m.seconds)) : "";
     }},
    {"share_of_ceiling",
     "least time that the measured ceilings allow, over the median; above 1 a cache helped",
     [](const Line& l) {
       return l.timed() ? csv_number(share_of_ceiling(l.results, l.row, l.m)) : "";
     }},
    {"limiter_estimated", "what limits it by the formula's bytes and operations and the ceilings",
     [](const Line& l) {
       return l.timed() ? std::string(limiter(l.results, l.row, l.m)) : std::string();
     }},
    {"max_error", "largest difference of an element from the exact result",
     [](const Line& l) { return l.m.judged() ? csv_number(l.m.check.max_error) : ""; }},
    {"share_of_error_bound", "of the worst element; above 1 the result is wrong",
     [](const Line& l) { return l.m.judged() ? csv_number(l.m.check.worst_bound_share) : ""; }},
    {"witness_elements",
     "of the largest input, of which any one that is left out was sure to show on witness data",
     [](const Line& l) { return l.m.judged() ? std::to_string(l.m.witnessed) : ""; }},
    {"slices", "in which its arrays went through the device's memory, where they do not fit",
     stream_part<&StreamFacts::slices>},
    {"slice_bytes", "inputs of a slice", stream_part<&StreamFacts::slice_bytes>},
    {"data_repeats_after", "slices, where made data is more than host memory has room for",
     [](const Line& l) {
       return l.row.streamed && l.row.streamed->period < l.row.streamed->slices
                  ? stream_part<&StreamFacts::period>(l)
                  : "";
     }},
    {"stream_device_bytes", "all that the slices took on the device",
     stream_part<&StreamFacts::device_bytes>},
    {"shared_kernel",
     "the header whose kernel both variants of a pair run; empty: each has its own",
     [](const Line& l) { return std::string(shared_kernel(l.row)); }},
    {"reference", "the variant of --reference", [](const Line& l) { return l.results.reference; }},
    {"speedup", "times of the reference over times of this one: median of the ratios of all to all",
     speedup_part<&Ratio::value>},
    {"speedup_low", "lower end of its 95 % interval", speedup_part<&Ratio::low>},
    {"speedup_high", "upper end of its 95 % interval", speedup_part<&Ratio::high>},
    {"max_difference", "largest difference of an element from the one that the reference gives",
     [](const Line& l) {
       return speedup(l.row, l.m) ? csv_number(l.m.max_difference) : std::string();
     }},
    {"may_stay_in_cache", "the arrays are less than four times the last-level cache",
     [](const Line& l) {
       return std::string(yes_or_no(may_stay_in_cache(l.row.problem, *l.results.device)));
     }},
    {"cold_cache", "--cold-cache emptied the caches before each timed run",
     [](const Line& l) { return std::string(yes_or_no(l.results.cold_cache)); }},
    {"kokkos_tool", "a tool of Kokkos was loaded, which may slow the runs",
     [](const Line& l) { return std::string(yes_or_no(l.results.device->kokkos_tool)); }}};

const std::vector<Column> machine_and_build{
    {"date", "of the record, UTC", [](const Line& l) { return l.run.date; }},
    {"host", "name of the machine", [](const Line& l) { return l.run.host; }},
    {"cpu", "its processor", [](const Line& l) { return l.run.cpu; }},
    {"device", "what portable variants ran on", [](const Line& l) { return l.run.device; }},
    {"backend", "Kokkos' execution space", [](const Line& l) { return l.run.backend; }},
    {"read_ceiling_bytes_per_second", "measured at the start: reading",
     [](const Line& l) { return csv_number(l.results.ceilings.read); }},
    {"write_ceiling_bytes_per_second", "measured at the start: writing",
     [](const Line& l) { return csv_number(l.results.ceilings.write); }},
    {"copy_ceiling_bytes_per_second", "measured at the start: copying, reads and writes counted",
     [](const Line& l) { return csv_number(l.results.ceilings.copy); }},
    {"commit", "of the build", [](const Line& l) { return l.run.commit; }},
    {"compiler", "that built it", [](const Line& l) { return l.run.compiler; }},
    {"compiler_flags", "it was given", [](const Line& l) { return l.run.compiler_flags; }},
    {"kokkos_version", "the release of Kokkos", [](const Line& l) { return l.run.kokkos; }},
    {"nvcc_version", "the nvcc that compiled the CUDA kernels",
     [](const Line& l) { return l.run.nvcc; }},
    {"driver_version", "of NVIDIA's driver; of a GPU", [](const Line& l) { return l.run.driver; }},
    {"gpu_uuid", "which GPU, as nvidia-smi -L names it",
     [](const Line& l) { return l.run.gpu_uuid; }}};

/// Every size that some algorithm has, once: a column each, whatever ran.
std::vector<std::string> size_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms())
    for (const SizeName& size : algorithm.sizes)
      if (std::find(names.begin(), names.end(), size.name) == names.end())
        names.emplace_back(size.name);
  return names;
}

/// The size of that name, empty where the algorithm has none.
std::string size_text(const Problem& problem, const std::string& name) {
  for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
    if (problem.algorithm->sizes[k].name == name) return std::to_string(problem.shape[k]);
  return "";
}

void add_titles(std::vector<std::string>& fields, const std::vector<Column>& columns) {
  for (const Column& column : columns)
    fields.push_back(column.title);
}

void add_texts(std::vector<std::string>& fields, const std::vector<Column>& columns,
               const Line& line) {
  for (const Column& column : columns)
    fields.push_back(column.text(line));
}

} // namespace

std::vector<std::pair<std::string, std::string>> csv_fields() {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto* columns : {&what_ran, &outcome, &machine_and_build})
    for (const Column& column : *columns)
      fields.emplace_back(column.title, column.meaning);
  for (const std::string& name : size_names())
    fields.emplace_back(name, "a size of the problem, where the algorithm has it");
  return fields;
}

std::string csv_text(const Results& results, const RunFacts& facts) {
  const std::vector<std::string> sizes = size_names();
  std::vector<std::string> titles;
  add_titles(titles, what_ran);
  titles.insert(titles.end(), sizes.begin(), sizes.end());
  add_titles(titles, outcome);
  add_titles(titles, machine_and_build);
  std::string text = csv_line(titles);
  for (const RowResult& row : results.rows)
    for (const Measurement* m : sides(row)) {
      const Line line{results, facts, row, *m};
      std::vector<std::string> fields;
      add_texts(fields, what_ran, line);
      for (const std::string& name : sizes)
        fields.push_back(size_text(row.problem, name));
      add_texts(fields, outcome, line);
      add_texts(fields, machine_and_build, line);
      text += csv_line(fields);
    }
  return text;
}

} // namespace ado
