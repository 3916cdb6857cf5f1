// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/shallow_json.hpp>
#include <ado/bench/run/journal_row.hpp>
#include <ado/bench/run/run_facts.hpp>
#include <ado/core/error.hpp>

#include <cmath>
#include <limits>

namespace ado {
namespace {

using Json = nlohmann::json;

/// JSON has no infinities and no NaN, and an error may be either.
Json number_entry(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double read_number(const Json& entry) {
  if (entry.is_number()) return entry.get<double>();
  const auto& text = entry.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text != "inf" && text != "-inf") throw Error("'" + text + "' is no number");
  return text == "inf" ? HUGE_VAL : -HUGE_VAL;
}

Json launches_entry(const Launches& launches) {
  Json kernels = Json::array();
  for (const LaunchFacts& k : launches.kernels)
    kernels.push_back({k.kernel, k.grid, k.block, k.registers, k.static_shared_bytes,
                       k.dynamic_shared_bytes, k.local_bytes, k.resident_warps, k.maximum_warps,
                       k.limited_by, k.waves});
  return {{"kernels", kernels}, {"unknown_because", launches.unknown_because}};
}

Launches read_launches(const Json& entry) {
  Launches launches{{}, entry.at("unknown_because").get<std::string>()};
  for (const Json& k : entry.at("kernels"))
    launches.kernels.push_back({k.at(0).get<std::string>(), k.at(1).get<std::array<int, 3>>(),
                                k.at(2).get<std::array<int, 3>>(), k.at(3).get<int>(),
                                k.at(4).get<int>(), k.at(5).get<int>(), k.at(6).get<int>(),
                                k.at(7).get<int>(), k.at(8).get<int>(), k.at(9).get<std::string>(),
                                k.at(10).get<double>()});
  return launches;
}

Json stages_entry(const StageTimes& stages) {
  Json spans = Json::array();
  for (const StageSpan& span : stages.spans)
    spans.push_back({static_cast<std::size_t>(span.stage), span.chunk, span.begin, span.end});
  return {
      {"spans", spans}, {"elapsed", stages.elapsed}, {"unknown_because", stages.unknown_because}};
}

StageTimes read_stages(const Json& entry) {
  StageTimes stages{
      {}, entry.at("elapsed").get<double>(), entry.at("unknown_because").get<std::string>()};
  for (const Json& span : entry.at("spans")) {
    const auto stage = span.at(0).get<std::size_t>();
    if (stage >= stage_names.size()) throw Error("there is no stage " + std::to_string(stage));
    stages.spans.push_back({static_cast<Stage>(stage), span.at(1).get<std::size_t>(),
                            span.at(2).get<double>(), span.at(3).get<double>()});
  }
  return stages;
}

Json state_entry(const DeviceState& s) {
  return {s.known, s.clock_mhz, s.memory_clock_mhz, s.watts, s.celsius, s.throttled};
}

DeviceState read_state(const Json& entry) {
  return {entry.at(0).get<bool>(),   entry.at(1).get<double>(), entry.at(2).get<double>(),
          entry.at(3).get<double>(), entry.at(4).get<double>(), entry.at(5).get<std::string>()};
}

/// null for a side that the row does not have.
Json measurement_entry(const Measurement& m) {
  if (m.variant == nullptr) return nullptr;
  // Does not compile where a member is added: that would be forgotten below.
  [[maybe_unused]] const auto& [variant, failure, ran, skipped, refused, unverified, check, seconds,
                                host_seconds, batch, stopped_by, outputs, witnessed, transfers,
                                difference, before, after, launches, stages] = m;
  return {{"variant",
           {m.variant->algorithm, name_of(m.variant->model), m.variant->name, m.variant->backend}},
          {"failure", m.failure},
          {"ran", m.ran},
          {"skipped", m.skipped},
          {"refused", m.refused},
          {"unverified", m.unverified},
          {"check",
           {m.check.ok, number_entry(m.check.max_error), number_entry(m.check.worst_bound_share),
            m.check.wrong, m.check.first_wrong}},
          {"seconds", m.seconds},
          {"host_seconds", m.host_seconds},
          {"batch", m.batch},
          {"stopped_by", m.stopped_by},
          {"distinct_outputs", m.distinct_outputs},
          {"witnessed", m.witnessed},
          {"with_transfers", m.with_transfers},
          {"max_difference", number_entry(m.max_difference)},
          {"before", state_entry(m.before)},
          {"after", state_entry(m.after)},
          {"launches", launches_entry(m.launches)},
          {"stages", stages_entry(m.stages)}};
}

/// null for a row that was not streamed.
Json stream_entry(const std::optional<StreamFacts>& streamed) {
  if (!streamed) return nullptr;
  // Does not compile where a member is added: that would be forgotten here.
  const auto& [slices, slice_bytes, period, device_bytes, reads_files] = *streamed;
  return {slices, slice_bytes, period, device_bytes, reads_files};
}

std::optional<StreamFacts> read_stream(const Json& entry) {
  if (entry.is_null()) return std::nullopt;
  const auto count = [&](std::size_t k) { return entry.at(k).get<std::size_t>(); };
  return StreamFacts{count(0), count(1), count(2), count(3), entry.at(4).get<bool>()};
}

const Variant* read_variant(const Json& entry) {
  const auto word = [&](std::size_t k) { return entry.at(k).get<std::string>(); };
  const Variant* variant = find_variant(word(0), word(1), word(2), word(3));
  if (variant == nullptr) throw Error("this build has no such variant: " + entry.dump());
  return variant;
}

Measurement read_measurement(const Json& entry) {
  Measurement m;
  if (entry.is_null()) return m;
  m.variant = read_variant(entry.at("variant"));
  entry.at("failure").get_to(m.failure);
  entry.at("ran").get_to(m.ran);
  entry.at("skipped").get_to(m.skipped);
  entry.at("refused").get_to(m.refused);
  entry.at("unverified").get_to(m.unverified);
  const Json& check = entry.at("check");
  m.check = {check.at(0).get<bool>(), read_number(check.at(1)), read_number(check.at(2)),
             check.at(3).get<std::size_t>(), check.at(4).get<std::string>()};
  entry.at("seconds").get_to(m.seconds);
  entry.at("host_seconds").get_to(m.host_seconds);
  entry.at("batch").get_to(m.batch);
  entry.at("stopped_by").get_to(m.stopped_by);
  entry.at("distinct_outputs").get_to(m.distinct_outputs);
  entry.at("witnessed").get_to(m.witnessed);
  entry.at("with_transfers").get_to(m.with_transfers);
  m.max_difference = read_number(entry.at("max_difference"));
  m.before = read_state(entry.at("before"));
  m.after = read_state(entry.at("after"));
  m.launches = read_launches(entry.at("launches"));
  m.stages = read_stages(entry.at("stages"));
  return m;
}

} // namespace

std::string row_name(const Problem& problem, const std::string& row) {
  return std::string(problem.algorithm->name) + "/" + case_name(problem) + "/" + row;
}

std::string row_line(const RowResult& row) {
  const Json entry{
      {"row", row_name(row.problem, row.name)},  {"portable", measurement_entry(row.portable)},
      {"native", measurement_entry(row.native)}, {"reference", measurement_entry(row.reference)},
      {"no_reference", row.no_reference},        {"streamed", stream_entry(row.streamed)}};
  return entry.dump(-1, ' ', false, Json::error_handler_t::replace);
}

FinishedRow read_row(const std::string& line) {
  try {
    const Json entry = parse_printable_json(line);
    return {.name = entry.at("row").get<std::string>(),
            .portable = read_measurement(entry.at("portable")),
            .native = read_measurement(entry.at("native")),
            .reference = read_measurement(entry.at("reference")),
            .no_reference = entry.at("no_reference").get<std::string>(),
            .streamed = read_stream(entry.at("streamed"))};
  } catch (const Json::exception& error) {
    throw Error(error.what());
  }
}

} // namespace ado
