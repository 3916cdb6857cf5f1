// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the timed runs of a row are prepared, and when they may end.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ado::bench {

struct Measurement;

/// When to stop measuring the variants of a row, which all run equally often. Without `reps`: when
/// all other conditions hold and, for a pair, the verdict on its ratio is not inconclusive. Noise
/// and ratio are checked each time the number of runs has doubled.
struct StopRule {
  std::optional<std::size_t> reps{}; ///< exactly this many; absent: at least 10
  double min_time = 0.1;             ///< seconds of timed runs of the slower variant
  std::optional<double> max_noise{}; ///< interquartile range over median, of each variant
  /// Wall-clock seconds, but at least 3 runs. Absent: none with `reps`; else 15 times `min_time`,
  /// and three times that until there are 20 runs.
  std::optional<double> timeout{};
  std::size_t warmup = 1;
  bool cold_cache = false;        ///< empty caches before each timed run, and batch no runs
  bool skip_verification = false; ///< do not check results
  bool brief = false; ///< three runs, or one if it takes longer than 0.1 s, and nothing else
};

/// Asked after each turn of the runs whether it was the last.
class Stop {
public:
  explicit Stop(const StopRule& rule) : rule_(rule) {}

  /// `variants` have a time of this turn; `wall_seconds` have passed since the first began.
  bool after(const std::vector<const Measurement*>& variants, double wall_seconds);

  /// What the runs waited for last: "reps", "min_time", "noise", "decided"; or what ended them
  /// before: "timeout", "most_reps".
  std::string_view by() const { return by_; }

private:
  /// What is still missing; empty: nothing.
  std::string_view awaited(const std::vector<const Measurement*>& variants);
  /// Wall-clock seconds after which `reps` runs are enough.
  double timeout(std::size_t reps) const;

  StopRule rule_;
  std::string_view by_ = "reps";
  std::size_t next_look_ = 0;
};

} // namespace ado::bench
