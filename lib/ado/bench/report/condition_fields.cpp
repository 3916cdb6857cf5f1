// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a variant's times hold besides its runs, what it launched, and what its accesses predict.
#include <ado/bench/report/fields.hpp>
#include <ado/registry/access_pattern.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;

/// For a row that was streamed.
template <auto StreamFacts::*part>
Json stream_part(const Side& s) {
  return s.row.streamed ? Json((*s.row.streamed).*part) : Json();
}
Json state_of(const Side& s, const DeviceState& state) {
  if (s.results.device->on_host || !s.timed()) return {};
  if (!state.known) return "unknown";
  return {{"clock_mhz", state.clock_mhz},
          {"memory_clock_mhz", state.memory_clock_mhz},
          {"watts", state.watts},
          {"celsius", state.celsius},
          {"throttled", state.throttled}};
}
Json launches_of(const Side& s) {
  if (s.results.device->on_host || !s.timed() || !s.m.launches.unknown_because.empty()) return {};
  Json list = Json::array();
  for (const LaunchFacts& facts : s.m.launches.kernels)
    list.push_back(json_of(launch_fields(), Launched{s.m, facts}));
  return list;
}

Json reason(const Side& s, const std::string& why) {
  return s.timed() && !why.empty() ? Json(why) : Json();
}

/// The cost on a GPU of the accesses that the variant declares; null: none, or none in that space.
template <class Value>
Json predicted(const Side& s, Space space, const Value& value) {
  const std::vector<Access> accesses = accesses_of(s.row, *s.m.variant);
  if (accesses.empty()) return {};
  const auto used = [&](const Access& access) { return access.space == space; };
  if (space == Space::shared && std::none_of(accesses.begin(), accesses.end(), used)) return {};
  return value(accesses);
}

template <Direction direction>
Json sectors_per_request(const Side& s) {
  return predicted(s, Space::global, [](const auto& accesses) {
    return cost_of(accesses, Space::global, direction).per_request();
  });
}

double worst_conflict(const std::vector<Access>& accesses) {
  double ways = 1;
  for (const Access& access : accesses)
    if (access.space == Space::shared) ways = std::max(ways, 1 / cost_of(access).efficiency());
  return ways;
}

} // namespace

std::vector<Field<Side>> condition_fields() {
  return {
      {.name = "may_stay_in_cache",
       .meaning = "the arrays are less than four times the last-level cache",
       .value = [](const Side& s) -> Json {
         return may_stay_in_cache(s.row.problem, *s.results.device);
       }},
      {.name = "cold_cache",
       .meaning = "--cold-cache emptied the caches before each timed run",
       .value = [](const Side& s) -> Json { return s.results.stop.cold_cache; }},
      {.name = "kokkos_tool",
       .meaning = "a tool of Kokkos was loaded, which may slow the runs",
       .value = [](const Side& s) -> Json { return s.results.device->kokkos_tool; }},
      {.name = "library",
       .meaning = "what the variant calls that ado did not write, as far as it says so",
       .value = [](const Side& s) -> Json {
         const auto library = s.m.variant->library;
         const std::string text = library == nullptr ? "" : library().text;
         return text.empty() ? Json() : Json(text);
       }},
      {.name = "slices",
       .meaning = "in which its arrays went through the device's memory, where they do not fit",
       .value = stream_part<&StreamFacts::slices>,
       .json = "streamed/slices"},
      {.name = "slice_bytes",
       .meaning = "inputs of a slice",
       .value = stream_part<&StreamFacts::slice_bytes>,
       .json = "streamed/slice_bytes"},
      {.name = "data_repeats_after",
       .meaning =
           "slices after which made data repeats; fewer than there are where host memory has no "
           "room for more",
       .value = stream_part<&StreamFacts::period>,
       .json = "streamed/data_repeats_after"},
      {.name = "stream_device_bytes",
       .meaning = "all that the slices took on the device",
       .value = stream_part<&StreamFacts::device_bytes>,
       .json = "streamed/device_bytes"},
      {.name = "reads_files",
       .meaning = "whether its slices came from files while it ran",
       .value = stream_part<&StreamFacts::reads_files>,
       .json = "streamed/reads_files"},
      {.meaning =
           "clocks, power and temperature of the GPU before the timed runs, and what throttled it",
       .value = [](const Side& s) { return state_of(s, s.m.before); },
       .json = "device_state_before"},
      {.meaning = "the same behind them",
       .value = [](const Side& s) { return state_of(s, s.m.after); },
       .json = "device_state_after"},
      {.meaning = "what one call launched on the GPU", .value = launches_of, .json = "launches"},
      {.meaning = "why nobody knows what it launched",
       .value =
           [](const Side& s) {
             return s.results.device->on_host ? Json() : reason(s, s.m.launches.unknown_because);
           },
       .json = "no_launches"},
      {.meaning = "what the stages of one more run took",
       .value = [](const Side& s) -> Json {
         return s.timed() && !s.m.stages.spans.empty() ? json_of(stage_fields(), s.m.stages)
                                                       : Json();
       },
       .json = "stages"},
      {.meaning = "why nobody knows what its stages took",
       .value = [](const Side& s) { return reason(s, s.m.stages.unknown_because); },
       .json = "no_stages"}};
}

std::vector<Field<Side>> prediction_fields() {
  return {{.name = "predicted_sectors_per_load_request",
           .meaning = "by the index formulas, on average: sectors of 32 bytes that a load of a "
                      "GPU's warp touches; at least 4 of elements of 4 bytes, 8 of 8",
           .value = sectors_per_request<Direction::load>},
          {.name = "predicted_sectors_per_store_request",
           .meaning = "the same of its stores",
           .value = sectors_per_request<Direction::store>},
          {.name = "predicted_excessive_sectors_share",
           .meaning = "by the index formulas: the part of all sectors that the same bytes side by "
                      "side would not touch",
           .value =
               [](const Side& s) {
                 return predicted(s, Space::global, [](const auto& accesses) {
                   return 1 - cost_of(accesses, Space::global).efficiency();
                 });
               }},
          {.name = "predicted_bank_conflict_ways",
           .meaning = "by the index formulas: passes over the banks of shared memory of the worst "
                      "access, over the fewest possible; 1: no conflicts",
           .value = [](const Side& s) { return predicted(s, Space::shared, worst_conflict); }},
          {.name = "predicted_shared_efficiency",
           .meaning = "by the index formulas: the fewest possible passes over the banks of all "
                      "loads and stores, over "
                      "theirs, as nvprof's shared_efficiency",
           .value = [](const Side& s) {
             return predicted(s, Space::shared, [](const auto& accesses) {
               return cost_of(accesses, Space::shared).efficiency();
             });
           }}};
}

} // namespace ado::bench
