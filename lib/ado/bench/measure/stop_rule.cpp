// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/measure/stop_rule.hpp>
#include <ado/bench/stats/statistics_paired.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ado::bench {
namespace {

/// Ten, because an interval needs nine, and so does a rank test of two runs; slow variants stop
/// after three. With most_reps there are `most_looks` looks, each at twice the runs, including the
/// last.
constexpr std::size_t usual_reps = 10, fewest_reps = 3, most_reps = usual_reps << (most_looks - 1);
constexpr double usual_timeout = 15; // times min_time
constexpr double long_run = 0.1;     // seconds

double timed_seconds(const Measurement& m) {
  return std::accumulate(m.seconds.begin(), m.seconds.end(), 0.0) * static_cast<double>(m.batch);
}

} // namespace

/// The default leaves time for two looks at the ratio.
double Stop::timeout(std::size_t reps) const {
  if (rule_.timeout || rule_.reps) return rule_.timeout.value_or(HUGE_VAL);
  return usual_timeout * rule_.min_time * (reps < 2 * usual_reps ? 3 : 1);
}

std::string_view Stop::awaited(const std::vector<const Measurement*>& variants) {
  const std::size_t reps = variants[0]->seconds.size();
  if (rule_.brief) {
    const bool is_long = std::any_of(variants.begin(), variants.end(), [](const Measurement* m) {
      return m->seconds.back() > long_run;
    });
    return reps < fewest_reps && !is_long ? "reps" : "";
  }
  if (reps < rule_.reps.value_or(usual_reps)) return "reps";
  if (rule_.reps) return "";
  if (std::all_of(variants.begin(), variants.end(),
                  [&](const Measurement* m) { return timed_seconds(*m) < rule_.min_time; }))
    return "min_time";
  if (reps < next_look_) return by_;
  next_look_ = 2 * reps;
  const auto noisy = [&](const Measurement* m) { return noise(m->seconds) > *rule_.max_noise; };
  if (rule_.max_noise && std::any_of(variants.begin(), variants.end(), noisy)) return "noise";
  if (variants.size() == 2 &&
      verdict_of(paired_ratio(variants[0]->seconds, variants[1]->seconds)) == Verdict::inconclusive)
    return "decided";
  return "";
}

bool Stop::after(const std::vector<const Measurement*>& variants, double wall_seconds) {
  const std::string_view missing = awaited(variants);
  if (missing.empty()) return true;
  const std::size_t reps = variants[0]->seconds.size();
  by_ = missing;
  if (reps >= fewest_reps && wall_seconds >= timeout(reps)) by_ = "timeout";
  if (!rule_.reps && reps >= most_reps) by_ = "most_reps";
  return by_ != missing;
}

} // namespace ado::bench
