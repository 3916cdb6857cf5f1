// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/records/json.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/run/kernel_lines.hpp>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string entry_name(const RowResult& row, const Measurement& m) {
  const VariantName name = variant_name(row, m);
  return std::string(row.problem.algorithm->name) + "/" + name.variant + "/" +
         case_name(row.problem) + name.launch;
}

/// Fields in the entries of all repetitions.
const std::vector<Field<Side>>& fields_of_each() {
  static const std::vector<Field<Side>> fields = [] {
    std::vector<Field<Side>> each = side_fields();
    std::erase_if(each, [](const Field<Side>& field) { return !field.in_each; });
    return each;
  }();
  return fields;
}

/// One entry per repetition, as compare.py reads them. What they all share is only in the first,
/// because short runs have thousands.
void add_entries(Json& entries, const Results& results, const RowResult& row,
                 const Measurement& m) {
  const Side side{results, row, m};
  const std::string name = entry_name(row, m);
  const Json head{{"name", name}, {"run_name", name}, {"run_type", "iteration"}, {"threads", 1}};
  Json common = head, first = head;
  common.update(json_of(fields_of_each(), side));
  first.update(json_of(side_fields(), side));
  if (m.seconds.empty()) {
    first["error_occurred"] = true;
    first["error_message"] = m.failure;
    // compare.py skips an entry with an unknown unit, except in its overall mean, which takes
    // everything that is no aggregate.
    first["time_unit"] = "none";
    first["run_type"] = "aggregate";
    entries.push_back(first);
    return;
  }
  const double bytes = row.traffic().bytes();
  for (std::size_t repetition = 0; repetition < m.seconds.size(); ++repetition) {
    Json entry = repetition == 0 ? first : common;
    entry["repetitions"] = m.seconds.size();
    entry["repetition_index"] = repetition;
    entry["iterations"] = m.batch;
    entry["real_time"] = m.seconds[repetition] * 1e3;
    entry["cpu_time"] = m.host_seconds[repetition] * 1e3;
    entry["time_unit"] = "ms";
    entry["bytes_per_second"] = bytes / m.seconds[repetition];
    entries.push_back(std::move(entry));
  }
}

} // namespace

std::string json_text(const Results& results, const RunFacts& facts) {
  Json document{{"context", json_of(run_fields(), Run{results, facts})},
                {"benchmarks", Json::array()}};
  for (const RowResult& row : results.rows)
    for (const Measurement* m : sides(row))
      add_entries(document["benchmarks"], results, row, *m);
  // A path on the command line may not be UTF-8.
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string list_json_text(const Options& options, const Device& device) {
  Json document{
      {"algorithms", Json::array()}, {"backends", backend_names()}, {"device", device.description}};
  for (const auto& [algorithm, chosen] : listed_variants(options, device)) {
    Json entries = Json::array();
    for (const Variant* v : chosen) {
      Json types = Json::array();
      for (const TypeInfo& row : type_table)
        if (v->types.contains(row.type)) types.push_back(name_of(row.type));
      entries.push_back({{"variant", v->name},
                         {"model", name_of(v->model)},
                         {"backend", v->backend},
                         {"types", types},
                         {"summary", v->summary}});
      if (const KernelLines* const lines = kernel_lines(*v)) {
        entries.back()["kernel_lines"] = lines->all;
        entries.back()["kernel_lines_of_one_backend"] = lines->of_one_backend;
      }
    }
    document["algorithms"].push_back({{"algorithm", algorithm->name},
                                      {"formula", algorithm->formula},
                                      {"variants", std::move(entries)}});
  }
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ado::bench
