// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/measure/ceilings_text.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/core/access_pattern.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

namespace ado {
namespace {

using Json = nlohmann::ordered_json;

/// As Google Benchmark has it: a list, empty where unknown.
Json load_average(const Device& device) {
  return device.load_average < 0 ? Json::array() : Json::array({device.load_average});
}

Json context(const Results& results, const RunFacts& run) {
  Json environment = Json::object();
  for (const auto& [name, value] : run.environment)
    environment[name] = value;
  Json facts = Json::object();
  for (const auto& [name, value] : results.device->facts)
    facts[name] = value;
  return {{"date", run.date},
          {"interrupted_runs", results.interrupted_runs},
          {"host_name", run.host},
          {"executable", run.command_line.empty() ? "" : run.command_line[0]},
          {"command_line", run.command_line},
          {"num_cpus", std::thread::hardware_concurrency()},
          {"cpu", run.cpu},
          {"library_build_type", run.build_type},
          {"ado_version", run.version},
          {"ado_commit", run.commit},
          {"compiler", run.compiler},
          {"compiler_flags", run.compiler_flags},
          {"kokkos_version", run.kokkos},
          {"nvcc_version", run.nvcc},
          {"driver_version", run.driver},
          {"gpu_uuid", run.gpu_uuid},
          {"backend", run.backend},
          {"device", run.device},
          {"device_facts", facts},
          {"load_avg", load_average(*results.device)},
          {"warnings", warnings(results)},
          {"environment", environment},
          {"ceilings", Json::parse(ceilings_text(results.ceilings))}};
}

std::string entry_name(const RowResult& row, const Measurement& m) {
  const VariantName name = variant_name(row, m);
  return std::string(row.problem.algorithm->name) + "/" + name.variant + "/" +
         case_name(row.problem) + name.launch;
}

/// {"rows": 41, "cols": 67}
Json sizes_of(const Problem& problem) {
  Json sizes = Json::object();
  for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
    sizes[std::string(problem.algorithm->sizes[k].name)] = problem.shape[k];
  return sizes;
}

Json launch_entry(const LaunchFacts& facts) {
  return {{"kernel", facts.kernel},
          {"grid", facts.grid},
          {"block", facts.block},
          {"registers", facts.registers},
          {"static_shared_bytes", facts.static_shared_bytes},
          {"dynamic_shared_bytes", facts.dynamic_shared_bytes},
          {"local_bytes", facts.local_bytes},
          {"resident_warps", facts.resident_warps},
          {"maximum_warps", facts.maximum_warps},
          {"occupancy", facts.occupancy()},
          {"limited_by", facts.limited_by},
          {"waves", facts.waves}};
}

Json state_entry(const DeviceState& state) {
  if (!state.known) return "unknown";
  return {{"clock_mhz", state.clock_mhz},
          {"memory_clock_mhz", state.memory_clock_mhz},
          {"watts", state.watts},
          {"celsius", state.celsius},
          {"throttled", state.throttled}};
}

/// What one call launched on the GPU, or why that is not known.
void add_launches(Json& entry, const Launches& launches) {
  if (!launches.unknown_because.empty()) {
    entry["no_launches"] = launches.unknown_because;
    return;
  }
  Json& list = entry["launches"] = Json::array();
  for (const LaunchFacts& facts : launches.kernels)
    list.push_back(launch_entry(facts));
}

/// What the stages of one run took, where it has any, or why that is not known.
void add_stages(Json& entry, const StageTimes& times) {
  if (!times.unknown_because.empty()) entry["no_stages"] = times.unknown_because;
  if (times.spans.empty()) return;
  const StageSums sums = sums_of(times);
  Json& stages = entry["stages"];
  for (std::size_t k = 0; k < stage_names.size(); ++k) {
    std::string name(stage_names[k]);
    std::replace(name.begin(), name.end(), ' ', '_');
    stages[name + "_seconds"] = sums.seconds[k];
  }
  stages["elapsed_seconds"] = sums.elapsed;
  stages["overlap"] = sums.overlap();
  stages["host_seconds"] = sums.host;
  stages["limit"] = sums.limit();
  stages["limit_over_elapsed"] = sums.limit_share();
}

/// How its data came to the device, where that did not hold all of it.
void add_stream(Json& entry, const std::optional<StreamFacts>& streamed) {
  if (!streamed) return;
  entry["streamed"] = {{"slices", streamed->slices},
                       {"slice_bytes", streamed->slice_bytes},
                       {"data_repeats_after", streamed->period},
                       {"device_bytes", streamed->device_bytes},
                       {"reads_files", streamed->reads_files}};
}

/// What the accesses that the variant declares cost on a GPU, and with a stride what the table predicts.
void add_prediction(Json& entry, const Results& results, const RowResult& row,
                    const Measurement& m) {
  if (m.variant->accesses == nullptr) return;
  if (row.launch.stride > 0)
    if (const auto share = predicted_share(results, row, m))
      entry["predicted_share_of_ceiling"] = *share;
  const auto accesses = m.variant->accesses(row.problem.shape, row.problem.type, row.launch);
  const auto per_request = [&](Direction direction) {
    return cost_of(accesses, Space::global, direction).per_request();
  };
  entry["predicted_sectors_per_load_request"] = per_request(Direction::load);
  entry["predicted_sectors_per_store_request"] = per_request(Direction::store);
  entry["predicted_excessive_sectors_share"] = 1 - cost_of(accesses, Space::global).efficiency();
  const RequestCost shared = cost_of(accesses, Space::shared);
  if (shared.requests == 0) return;
  double ways = 1;
  for (const Access& access : accesses)
    if (access.space == Space::shared) ways = std::max(ways, 1 / cost_of(access).efficiency());
  entry["predicted_bank_conflict_ways"] = ways;
  entry["predicted_shared_efficiency"] = shared.efficiency();
}

/// A ratio, and its interval where it has one.
void add_ratio(Json& entry, const std::string& name, const Ratio& ratio) {
  entry[name] = ratio.value;
  if (!ratio.has_interval()) return;
  entry[name + "_low"] = ratio.low;
  entry[name + "_high"] = ratio.high;
}

/// What the table says of a timed variant.
void add_comparison(Json& entry, const Results& results, const RowResult& row,
                    const Measurement& m) {
  entry["share_of_ceiling"] = share_of_ceiling(results, row, m);
  entry["limiter_estimated"] = limiter(results, row, m);
  if (m.with_transfers > 0) entry["seconds_with_transfers"] = m.with_transfers;
  if (const auto ratio = portable_over_native(row); ratio && &m == &row.portable) {
    entry["native"] = full_name(*row.native.variant);
    add_ratio(entry, "portable_over_native", *ratio);
    if (!shared_kernel(row).empty()) entry["shared_kernel"] = shared_kernel(row);
  }
  if (const auto faster = speedup(row, m)) {
    entry["reference"] = results.reference;
    add_ratio(entry, "speedup", *faster);
    entry["max_difference"] = m.max_difference;
  }
}

/// One entry a repetition, as compare.py reads them; what is known of all of them together stands in
/// the first, for short runs have thousands.
void add_entries(Json& entries, const Results& results, const RowResult& row,
                 const Measurement& m) {
  const std::string name = entry_name(row, m);
  const Traffic traffic = row.traffic();
  Json common{{"name", name},
              {"run_name", name},
              {"run_type", "iteration"},
              {"threads", 1},
              {"algorithm", row.problem.algorithm->name},
              {"variant", m.variant->name},
              {"model", name_of(m.variant->model)},
              {"backend", m.variant->backend},
              {"type", name_of(row.problem.type)},
              {"sizes", sizes_of(row.problem)},
              {"verified", m.verified()},
              {"bytes", traffic.bytes()}};
  if (!m.unverified.empty()) common["reason"] = m.unverified;
  Json first = common;
  first["flops"] = traffic.flops;
  first["may_stay_in_cache"] = may_stay_in_cache(row.problem, *results.device);
  first["cold_cache"] = results.cold_cache;
  first["kokkos_tool"] = results.device->kokkos_tool;
  if (m.unverified != not_verified) {
    first["distinct_outputs"] = m.distinct_outputs;
    first["witness_elements"] = m.witnessed;
    first["max_error"] = m.check.max_error;
    first["share_of_error_bound"] = m.check.worst_bound_share;
  }
  add_prediction(first, results, row, m);
  add_stream(first, row.streamed);
  if (m.seconds.empty()) {
    first["error_occurred"] = true;
    first["error_message"] = m.failure;
    // compare.py passes over an entry whose unit it does not know, but for its overall mean, which
    // takes all that is no aggregate.
    first["time_unit"] = "none";
    first["run_type"] = "aggregate";
    entries.push_back(first);
    return;
  }
  first["median_seconds"] = median(m.seconds);
  first["first_quartile_seconds"] = quantile(m.seconds, 0.25);
  first["third_quartile_seconds"] = quantile(m.seconds, 0.75);
  first["least_seconds"] = quantile(m.seconds, 0);
  first["stopped_by"] = m.stopped_by;
  add_comparison(first, results, row, m);
  add_stages(first, m.stages);
  if (!results.device->on_host) {
    first["device_state_before"] = state_entry(m.before);
    first["device_state_after"] = state_entry(m.after);
    add_launches(first, m.launches);
  }
  for (std::size_t repetition = 0; repetition < m.seconds.size(); ++repetition) {
    Json entry = repetition == 0 ? first : common;
    entry["repetitions"] = m.seconds.size();
    entry["repetition_index"] = repetition;
    entry["iterations"] = m.batch;
    entry["real_time"] = m.seconds[repetition] * 1e3;
    entry["cpu_time"] = m.host_seconds[repetition] * 1e3;
    entry["time_unit"] = "ms";
    entry["bytes_per_second"] = traffic.bytes() / m.seconds[repetition];
    entries.push_back(std::move(entry));
  }
}

} // namespace

std::string json_text(const Results& results, const RunFacts& facts) {
  Json document{{"context", context(results, facts)}, {"benchmarks", Json::array()}};
  for (const RowResult& row : results.rows)
    for (const Measurement* m : sides(row))
      add_entries(document["benchmarks"], results, row, *m);
  // A path on the command line may be no UTF-8.
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ado
