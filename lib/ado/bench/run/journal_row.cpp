// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/shallow_json.hpp>
#include <ado/bench/run/journal_row.hpp>
#include <ado/bench/run/run_facts.hpp>
#include <ado/core/error.hpp>

#include <cmath>
#include <concepts>
#include <limits>

namespace ado::bench {

using Json = nlohmann::json;

/// JSON has no infinities and no NaN, but an error may be either.
static Json number_entry(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static double read_number(const Json& entry) {
  if (entry.is_number()) return entry.get<double>();
  const auto& text = entry.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text != "inf" && text != "-inf") throw Error("'" + text + "' is no number");
  return text == "inf" ? HUGE_VAL : -HUGE_VAL;
}

// nlohmann's macros list the members of a measurement's parts; its own are below.
static void to_json(Json& entry, Stage stage) { entry = static_cast<std::size_t>(stage); }
static void from_json(const Json& entry, Stage& stage) {
  const auto k = entry.get<std::size_t>();
  if (k >= stage_names.size()) throw Error("there is no stage " + std::to_string(k));
  stage = static_cast<Stage>(k);
}
static void to_json(Json& entry, const Check& check) {
  entry = {{"ok", check.ok},
           {"max_error", number_entry(check.max_error)},
           {"worst_bound_share", number_entry(check.worst_bound_share)},
           {"wrong", check.wrong},
           {"first_wrong", check.first_wrong},
           {"unlikely", check.unlikely}};
}
static void from_json(const Json& entry, Check& check) {
  check = {entry.at("ok").get<bool>(),
           read_number(entry.at("max_error")),
           read_number(entry.at("worst_bound_share")),
           entry.at("wrong").get<std::size_t>(),
           entry.at("first_wrong").get<std::string>(),
           entry.at("unlikely").get<std::string>()};
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchFacts, kernel, grid, block, registers, static_shared_bytes,
                                   dynamic_shared_bytes, local_bytes, resident_warps, maximum_warps,
                                   limited_by, waves)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Launches, kernels, unknown_because)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StageSpan, stage, chunk, begin, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StageTimes, spans, elapsed, unknown_because, clocks_differ)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceState, known, clock_mhz, memory_clock_mhz, watts, celsius,
                                   throttled)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StreamFacts, slices, slice_bytes, period, device_bytes,
                                   reads_files)

namespace {

/// Calls `f` with name and value of each member of a Measurement except the variant. Does not
/// compile if a member is added, which would be forgotten here.
template <class M, class F>
void each_member(M& m, const F& f) {
  auto& [variant, failure, ran, skipped, refused, crashed, unverified, check, seconds, host_seconds,
         rank_seconds, batch, stopped_by, outputs, witnessed, transfers, difference, before, after,
         launches, stages] = m;
  f("failure", failure);
  f("ran", ran);
  f("skipped", skipped);
  f("refused", refused);
  f("crashed", crashed);
  f("unverified", unverified);
  f("check", check);
  f("seconds", seconds);
  f("host_seconds", host_seconds);
  f("rank_seconds", rank_seconds);
  f("batch", batch);
  f("stopped_by", stopped_by);
  f("distinct_outputs", outputs);
  f("witnessed", witnessed);
  f("with_transfers", transfers);
  f("max_difference", difference);
  f("before", before);
  f("after", after);
  f("launches", launches);
  f("stages", stages);
}

/// null: the row does not have this side.
Json measurement_entry(const Measurement& m) {
  if (m.variant == nullptr) return nullptr;
  const Variant& v = *m.variant;
  Json entry{{"variant", {v.algorithm, name_of(v.model), v.name, v.backend}}};
  each_member(m, [&](const char* name, const auto& value) {
    if constexpr (std::same_as<decltype(value), const double&>)
      entry[name] = number_entry(value);
    else
      entry[name] = value;
  });
  return entry;
}

const Variant* read_variant(const Json& entry) {
  const auto word = [&](std::size_t k) { return entry.at(k).get<std::string>(); };
  const Variant* variant = find_variant(word(0), word(1), word(2), word(3));
  if (variant == nullptr) throw Error("this build has no such variant: " + entry.dump());
  return variant;
}

/// Throws Error unless `entry` is made like `example`. A list of one there may have any length,
/// "nan" is any double, and whole numbers are not negative, as in every row.
void check_kind(const Json& entry, const Json& example, const std::string& where) {
  const auto require = [&](bool holds, const char* kind) {
    if (!holds) throw Error(where + " is no " + kind);
  };
  if (example.is_object()) {
    require(entry.is_object(), "object");
    for (const auto& [name, part] : example.items())
      if (entry.contains(name))
        check_kind(entry[name], part, where + "." + name);
      else
        throw Error(where + "." + name + " is missing");
    for (const auto& [name, part] : entry.items())
      if (!example.contains(name)) throw Error(where + "." + name + " is unknown");
  } else if (example.is_array()) {
    const bool is_fixed = example.size() > 1;
    require(entry.is_array() && (!is_fixed || entry.size() == example.size()), "such list");
    for (std::size_t k = 0; k < entry.size(); ++k)
      check_kind(entry[k], example[is_fixed ? k : 0], where + "[" + std::to_string(k) + "]");
  } else if (example == "nan") {
    require(entry.is_number() || entry == "nan" || entry == "inf" || entry == "-inf", "number");
  } else if (example.is_number_integer()) {
    require(entry.is_number_unsigned(), "whole number of 0 or more");
    if (!example.is_number_unsigned()) require(entry <= std::numeric_limits<int>::max(), "int");
  } else {
    require(example.is_number() ? entry.is_number() : entry.type() == example.type(),
            example.type_name());
  }
}

Measurement read_measurement(const Json& entry) {
  Measurement m;
  if (entry.is_null()) return m;
  m.variant = read_variant(entry.at("variant"));
  each_member(m, [&](const char* name, auto& value) {
    if constexpr (std::same_as<decltype(value), double&>)
      value = read_number(entry.at(name));
    else
      entry.at(name).get_to(value);
  });
  return m;
}

} // namespace

std::string row_name(const Problem& problem, const std::string& row) {
  return std::string(problem.algorithm->name) + "/" + case_name(problem) + "/" + row;
}

static Json row_entry(const std::string& name, const RowResult& row) {
  return {{"row", name},
          {"portable", measurement_entry(row.portable)},
          {"native", measurement_entry(row.native)},
          {"reference", measurement_entry(row.reference)},
          {"no_reference", row.no_reference},
          {"streamed", row.streamed ? Json(*row.streamed) : Json()}};
}

std::string row_line(const RowResult& row) {
  return row_entry(row_name(row.problem, row.name), row)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A row with one of everything.
static Json example_row() {
  static constexpr Variant variant{};
  const double nan = std::nan("");
  Measurement m;
  m.variant = &variant;
  m.check.max_error = m.check.worst_bound_share = m.with_transfers = m.max_difference = nan;
  m.seconds = m.host_seconds = m.rank_seconds = {1.0};
  m.launches.kernels.resize(1);
  m.stages.spans.resize(1);
  RowResult row{.problem = {}, .name = {}, .portable = m, .native = m, .reference = m};
  row.streamed.emplace();
  return row_entry("", row);
}

/// A missing side, and a row that is not streamed, are null.
static void check_row(const Json& entry) {
  static const Json example = example_row();
  Json wanted = example;
  for (const char* part : {"portable", "native", "reference", "streamed"})
    if (entry.contains(part) && entry[part].is_null()) wanted[part] = nullptr;
  check_kind(entry, wanted, "it");
}

FinishedRow read_row(const std::string& line) {
  try {
    const Json entry = parse_printable_json(line);
    check_row(entry);
    FinishedRow row{.name = entry.at("row").get<std::string>(),
                    .portable = read_measurement(entry.at("portable")),
                    .native = read_measurement(entry.at("native")),
                    .reference = read_measurement(entry.at("reference")),
                    .no_reference = entry.at("no_reference").get<std::string>()};
    if (const Json& streamed = entry.at("streamed"); !streamed.is_null())
      row.streamed = streamed.get<StreamFacts>();
    return row;
  } catch (const Json::exception& error) {
    throw Error(error.what());
  }
}

} // namespace ado::bench
