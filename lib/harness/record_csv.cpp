// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/csv.hpp>
#include <ado/harness/record.hpp>

#include <algorithm>

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

/// A column and its text in a line. A fact that a line does not have is an empty field.
struct Column {
  std::string title;
  std::string (*text)(const Line&);
};

const char* yes_or_no(bool yes) { return yes ? "true" : "false"; }

std::string launch_size(bool taken, int size) {
  return taken && size > 0 ? std::to_string(size) : "";
}

template <int percent>
std::string seconds_quantile(const Line& line) {
  return line.timed() ? csv_number(quantile(line.m.seconds, percent / 100.0)) : "";
}

/// The ratio stands in the lines of the portable variants; its interval may be missing.
template <double Ratio::*part>
std::string ratio_part(const Line& line) {
  const auto ratio = portable_over_native(line.row);
  if (!ratio || &line.m != &line.row.portable) return "";
  return part == &Ratio::value || ratio->has_interval() ? csv_number((*ratio).*part) : "";
}

const std::vector<Column> what_ran{
    {"algorithm", [](const Line& l) { return std::string(l.row.problem.algorithm->name); }},
    {"model", [](const Line& l) { return std::string(name_of(l.m.variant->model)); }},
    {"variant", [](const Line& l) { return std::string(l.m.variant->name); }},
    {"type", [](const Line& l) { return std::string(name_of(l.row.problem.type)); }}};

const std::vector<Column> outcome{
    {"team_size",
     [](const Line& l) {
       return launch_size(l.m.variant->takes_team_size, l.row.launch.team_size);
     }},
    {"league_size",
     [](const Line& l) {
       return launch_size(l.m.variant->takes_league_size, l.row.launch.league_size);
     }},
    {"verified", [](const Line& l) { return std::string(yes_or_no(l.m.verified())); }},
    {"reason",
     [](const Line& l) { return l.m.unverified ? std::string(not_verified) : l.m.failure; }},
    {"median_seconds", seconds_quantile<50>},
    {"first_quartile_seconds", seconds_quantile<25>},
    {"third_quartile_seconds", seconds_quantile<75>},
    {"least_seconds", seconds_quantile<0>},
    {"repetitions", [](const Line& l) { return std::to_string(l.m.seconds.size()); }},
    {"stopped_by", [](const Line& l) { return l.m.stopped_by; }},
    {"portable_over_native", ratio_part<&Ratio::value>},
    {"portable_over_native_low", ratio_part<&Ratio::low>},
    {"portable_over_native_high", ratio_part<&Ratio::high>},
    {"seconds_with_transfers",
     [](const Line& l) {
       return l.m.with_transfers > 0 ? csv_number(l.m.with_transfers) : std::string();
     }},
    {"bytes", [](const Line& l) { return csv_number(l.row.traffic().bytes()); }},
    {"flops", [](const Line& l) { return csv_number(l.row.traffic().flops); }},
    {"bytes_per_second",
     [](const Line& l) {
       return l.timed() ? csv_number(l.row.traffic().bytes() / median(l.m.seconds)) : "";
     }},
    {"share_of_ceiling",
     [](const Line& l) {
       return l.timed() ? csv_number(share_of_ceiling(l.results, l.row, l.m)) : "";
     }},
    {"limiter_estimated",
     [](const Line& l) {
       return l.timed() ? std::string(limiter(l.results, l.row, l.m)) : std::string();
     }},
    {"max_error",
     [](const Line& l) { return l.m.judged() ? csv_number(l.m.check.max_error) : ""; }},
    {"share_of_error_bound",
     [](const Line& l) { return l.m.judged() ? csv_number(l.m.check.worst_bound_share) : ""; }},
    {"reference", [](const Line& l) { return l.results.reference; }},
    {"speedup",
     [](const Line& l) {
       const double faster = speedup(l.row, l.m);
       return faster > 0 ? csv_number(faster) : std::string();
     }},
    {"max_difference",
     [](const Line& l) {
       return speedup(l.row, l.m) > 0 ? csv_number(l.m.max_difference) : std::string();
     }},
    {"may_stay_in_cache",
     [](const Line& l) {
       return std::string(yes_or_no(may_stay_in_cache(l.row.problem, *l.results.device)));
     }},
    {"cold_cache", [](const Line& l) { return std::string(yes_or_no(l.results.cold_cache)); }},
    {"kokkos_tool",
     [](const Line& l) { return std::string(yes_or_no(l.results.device->kokkos_tool)); }}};

const std::vector<Column> machine_and_build{
    {"date", [](const Line& l) { return l.run.date; }},
    {"host", [](const Line& l) { return l.run.host; }},
    {"cpu", [](const Line& l) { return l.run.cpu; }},
    {"device", [](const Line& l) { return l.run.device; }},
    {"backend", [](const Line& l) { return l.run.backend; }},
    {"read_ceiling_bytes_per_second",
     [](const Line& l) { return csv_number(l.results.ceilings.read); }},
    {"write_ceiling_bytes_per_second",
     [](const Line& l) { return csv_number(l.results.ceilings.write); }},
    {"copy_ceiling_bytes_per_second",
     [](const Line& l) { return csv_number(l.results.ceilings.copy); }},
    {"commit", [](const Line& l) { return l.run.commit; }},
    {"compiler", [](const Line& l) { return l.run.compiler; }},
    {"compiler_flags", [](const Line& l) { return l.run.compiler_flags; }}};

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
