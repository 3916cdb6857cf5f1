// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the timed runs of a row are made ready, and when they may end.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ado {

struct Measurement;

/// When to stop measuring the variants of a row, which all run equally often. Without `reps` that is
/// when all else is reached and, for a pair, the verdict on their ratio is not inconclusive. Noise
/// and ratio are looked at whenever the runs have doubled.
struct StopRule {
  std::optional<std::size_t> reps{}; ///< so many and nothing else; absent: at least 10
  double min_time = 0.1;             ///< seconds of timed runs of the slower variant
  std::optional<double> max_noise{}; ///< distance of the quartiles over the median, of each variant
  std::optional<double> timeout{};   ///< seconds on the wall clock, but at least 3 runs; absent:
                                     ///< with `reps` none, else 15 times `min_time`, and three
                                     ///< times that where there are no 20 runs yet
  std::size_t warmup = 1;
  bool cold_cache = false; ///< caches are emptied before each timed run; then no runs are batched
  bool skip_verification = false; ///< nobody looks at the results
  bool brief = false; ///< three runs, or one that takes longer than 0.1 s, and nothing else
};

/// Asked after each turn of the runs whether it was the last.
class Stop {
public:
  explicit Stop(const StopRule& rule) : rule_(rule) {}

  /// `variants` have a time of this turn; `wall_seconds` passed since the first began.
  bool after(const std::vector<const Measurement*>& variants, double wall_seconds);

  /// What the runs waited for last: "reps", "min_time", "noise", "decided"; or what ended them
  /// without it: "timeout", "most_reps".
  std::string_view by() const { return by_; }

private:
  /// What is still to be waited for; empty: nothing.
  std::string_view awaited(const std::vector<const Measurement*>& variants);
  /// Seconds on the wall clock after which `reps` runs are enough.
  double timeout(std::size_t reps) const;

  StopRule rule_;
  std::string_view by_ = "reps";
  std::size_t next_look_ = 0;
};

} // namespace ado
