// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/bench/stats/statistics_paired.hpp>
#include <ado/bench/stats/statistics_unpaired.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace ado::bench {

bool stands_in(const Variant* variant, const Variant* portable) {
  return portable != nullptr && variant != portable && variant->name != twin_name(*portable);
}

std::string_view shared_kernel(const RowResult& row) {
  const Variant *portable = row.portable.variant, *native = row.native.variant;
  if (portable == nullptr || native == nullptr) return "";
  // The best by hand also stands beside the single source and rungs with kernels of their own.
  return is_best(*native) && !is_best(*portable) ? std::string_view() : native->shared_kernel;
}

bool may_stay_in_cache(const Problem& problem, const Device& device) {
  return working_set(problem) < static_cast<double>(device.beyond_cache());
}

bool too_noisy(const Results& results, const Measurement& m) {
  return results.stop.max_noise && !m.seconds.empty() && noise(m.seconds) > *results.stop.max_noise;
}

std::optional<Ratio> portable_over_native(const RowResult& row) {
  if (row.portable.seconds.empty() || row.native.seconds.empty()) return std::nullopt;
  if (row.processes.empty()) return paired_ratio(row.portable.seconds, row.native.seconds);
  std::vector<double> logarithms;
  for (const Ratio& ratio : row.processes)
    logarithms.push_back(std::log(ratio.value));
  return widened(signed_rank_ratio(logarithms, 0.05), widening(logarithms)); // neighbours in time
}

std::optional<Scatter> scatter_of_processes(const RowResult& row) {
  if (row.processes.size() < 2) return std::nullopt;
  constexpr double deviations = 2.807; // that an interval of one look has on each side
  std::vector<double> within;
  for (const Ratio& ratio : row.processes) {
    if (!ratio.has_interval()) return std::nullopt;
    within.push_back(std::log(ratio.high / ratio.low) / (2 * deviations));
  }
  const double usual = median(within);
  std::vector<double> logarithms; // of those with an interval far wider than usual, none
  for (std::size_t k = 0; k < within.size(); ++k)
    if (within[k] <= 3 * usual) logarithms.push_back(std::log(row.processes[k].value));
  double sum = 0, squares = 0;
  for (const double logarithm : logarithms) {
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  const auto known = static_cast<double>(logarithms.size());
  const double all = known < 2 ? 0 : std::max(0.0, (squares - sum * sum / known) / (known - 1));
  return Scatter{std::sqrt(std::max(0.0, all - usual * usual)), usual};
}

bool all_agree(const RowResult& row) {
  const std::vector<double>&a = row.portable.seconds, &b = row.native.seconds;
  const std::size_t pairs = std::min(a.size(), b.size());
  std::size_t slower = 0, faster = 0;
  for (std::size_t k = 0; k < pairs; ++k) {
    slower += a[k] > 1.1 * b[k] ? 1 : 0;
    faster += b[k] > 1.1 * a[k] ? 1 : 0;
  }
  return pairs > 0 && (slower == pairs || faster == pairs);
}

namespace {

/// Whether its bytes come over a link of known bandwidth.
bool comes_over_link(const Results& results, const RowResult& row) {
  return (row.problem.algorithm->host_arrays || row.streamed) && results.ceilings.has_link();
}

} // namespace

std::optional<double> bytes_sent(const RowResult& row) {
  const Algorithm& algorithm = *row.problem.algorithm;
  if (algorithm.bytes_sent == nullptr) return std::nullopt;
  return algorithm.bytes_sent(row.problem.shape, row.problem.type);
}

std::optional<double> share_of_exchange(const Results& results, const RowResult& row,
                                        const Measurement& m) {
  const std::optional<double> bytes = bytes_sent(row);
  if (!bytes || m.seconds.empty() || results.ceilings.exchange <= 0) return std::nullopt;
  return *bytes / results.ceilings.exchange / median(m.seconds);
}

double share_of_ceiling(const Results& results, const RowResult& row, const Measurement& m) {
  const Traffic traffic = row.traffic();
  const Ceilings& ceilings = results.ceilings;
  double seconds = std::max(ceilings.compute_seconds(traffic, row.problem.type),
                            ceilings.memory_seconds(traffic));
  if (comes_over_link(results, row)) seconds = std::max(seconds, ceilings.link_seconds(traffic));
  return std::max(seconds / median(m.seconds), share_of_exchange(results, row, m).value_or(0));
}

std::string too_fast(const Results& results, const RowResult& row, const Measurement& m) {
  if (m.seconds.empty() || may_stay_in_cache(row.problem, *results.device)) return "";
  // A record's own bytes may be those of one method; no result needs more than each array once.
  const MovedBytes once =
      bytes_of_arrays(*row.problem.algorithm, row.problem.shape, row.problem.type);
  double least = std::min(results.ceilings.memory_seconds(row.traffic()),
                          results.ceilings.memory_seconds(Traffic{once.read, once.written, 0}));
  if (comes_over_link(results, row))
    least = std::max(least, results.ceilings.link_seconds(row.traffic()));
  const double share = least / median(m.seconds);
  if (share < 3) return "";
  return std::string(faster_than_memory) + number("%.1f", share) +
         " times as long to move these bytes, and no cache holds them; does each run read all "
         "inputs?";
}

std::string_view limiter(const Results& results, const RowResult& row, const Measurement& m) {
  if (comes_over_link(results, row)) {
    const double per_cent = 100 / median(m.seconds);
    return limiter_of_stream(per_cent *
                                 results.ceilings.compute_seconds(row.traffic(), row.problem.type),
                             per_cent * results.ceilings.link_seconds(row.traffic()));
  }
  if (const auto share = share_of_exchange(results, row, m)) {
    const double seconds = median(m.seconds);
    if (*share * seconds > results.ceilings.memory_seconds(row.traffic()))
      return limiter_of_stream(0, 100 * *share);
  }
  return estimate_limiter(results.ceilings, row.traffic(), row.problem.type, median(m.seconds),
                          m.launches.waves());
}

std::optional<Ratio> speedup(const RowResult& row, const Measurement& m) {
  if (m.seconds.empty() || row.reference.seconds.empty()) return std::nullopt;
  return unpaired_ratio(m.seconds, row.reference.seconds);
}

std::vector<Access> accesses_of(const RowResult& row, const Variant& variant) {
  if (variant.accesses == nullptr || row.problem.row_padding > 0) return {};
  return variant.accesses(row.problem.given_shape(), row.problem.type, row.launch);
}

std::optional<double> predicted_share(const Results& results, const RowResult& row,
                                      const Measurement& m) {
  if (m.variant == nullptr) return std::nullopt;
  const auto moved = memory_traffic(accesses_of(row, *m.variant),
                                    results.device->on_host ? cpu_memory : gpu_memory);
  if (moved.read + moved.written == 0) return std::nullopt;
  return results.ceilings.memory_seconds(row.traffic()) / results.ceilings.memory_seconds(moved);
}

std::string throttled(const RowResult& row) {
  const Measurement& m = row.subject();
  return m.after.throttled.empty() ? m.before.throttled : m.after.throttled;
}

bool has_other_work(const Device& device) {
  const double at_once = device.cpus.at_once(device.queue.threads);
  return device.on_host && device.load_average > std::max(0.5, 0.1 * at_once);
}

std::string load_warning(const Device& device) {
  if (!has_other_work(device)) return "";
  return "the machine was not idle: load average" + number(" %.1f", device.load_average) +
         " before the run";
}

std::string throttle_warning(const Results& results) {
  const auto slow = std::count_if(results.rows.begin(), results.rows.end(),
                                  [](const RowResult& row) { return !throttled(row).empty(); });
  if (slow == 0) return "";
  return "the GPU's clock was held down in " + std::to_string(slow) + " of " +
         counted(results.rows.size(), "row") + ": see the verdict";
}

namespace {

/// Cautions of the libraries that its variants call, each once.
std::set<std::string> cautions(const Results& results) {
  std::set<std::string> all;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native, &row.reference})
      if (m->variant != nullptr && m->variant->library != nullptr)
        all.insert(m->variant->library().caution);
  all.erase("");
  return all;
}

/// Threads that cannot all run at once wait for each other.
std::string crowd_warning(const Device& device) {
  const int threads = device.queue.threads;
  const AllowedCpus& cpus = device.cpus;
  if (!device.on_host || threads <= cpus.at_once(threads)) return "";
  const bool by_quota = cpus.quota > 0 && cpus.quota == cpus.at_once(threads);
  const int most = static_cast<int>(cpus.at_once(threads));
  const std::string cpus_text =
      by_quota ? "the time of" + number(" %.4g CPUs", cpus.quota) + " (quota of the control group)"
               : counted(static_cast<std::size_t>(cpus.count), "CPU") + " (affinity mask " +
                     cpus.list + ")";
  return counted(static_cast<std::size_t>(threads), "thread") + " on " + cpus_text + ": " +
         (most > 0 ? "set OMP_NUM_THREADS=" + std::to_string(most) : "raise it");
}

} // namespace

std::vector<std::string> warnings(const Results& results) {
  std::vector<std::string> lines;
  if (results.stop.skip_verification) lines.emplace_back(not_verified);
  if (results.device->kokkos_tool)
    lines.emplace_back("times include a Kokkos tool, which may wait for each kernel");
  for (const std::string& caution : cautions(results))
    lines.push_back(caution);
  if (const std::string throttle = throttle_warning(results); !throttle.empty())
    lines.push_back(throttle);
  if (const std::string crowd = crowd_warning(*results.device); !crowd.empty())
    lines.push_back(crowd);
  if (const std::string load = load_warning(*results.device); !load.empty()) lines.push_back(load);
  if (const Ceilings& c = results.ceilings; !c.kept_in.empty() && c.load_average > 0)
    lines.push_back("the ceilings are of a machine that was not idle: load average" +
                    number(" %.1f", c.load_average) +
                    " when they were measured; to measure them again, delete " + c.kept_in);
  return lines;
}

int exit_status(const Results& results) {
  int status = 0;
  bool noisy = false, unverified = results.stop.skip_verification;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native, &row.reference}) {
      noisy = noisy || too_noisy(results, *m);
      unverified = unverified || !m->unverified.empty();
      if (m->variant == nullptr || m->failure.empty() || m->skipped) continue;
      if (m->ran) return 1;
      if (m->refused && row.in_sweep) continue;
      status = std::max(status, m->crashed ? 7 : m->refused ? 2 : 3);
    }
  if (status != 0) return status;
  if (unverified) return 6;
  return noisy ? 5 : 0;
}

} // namespace ado::bench
