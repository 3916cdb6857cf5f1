// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the stages of a run ran, and what follows from that.
#pragma once

#include <ado/registry/stages.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// One stage of one chunk, in seconds since the run began.
struct StageSpan {
  Stage stage;
  std::size_t chunk;
  double begin, end;
};

/// The stages of one run.
struct StageTimes {
  std::vector<StageSpan> spans;
  double elapsed = 0;          ///< seconds
  std::string unknown_because; ///< why they are unknown; empty: they are known
  double clocks_differ = 0; ///< seconds by which a device's spans may be shifted against the host's
};

/// The spans of one stage by start, cut so that they do not overlap: two copies in one direction
/// share a link, and the later one waits for it.
std::vector<StageSpan> lane_of(const StageTimes& times, Stage stage);

/// How long the stages of a run took, and how far they overlapped.
struct StageSums {
  std::array<double, stage_names.size()> seconds{}; ///< in which each ran
  double host = 0; ///< in which any host stage ran: the same threads do them all
  double elapsed = 0;

  double of(Stage stage) const { return seconds[static_cast<std::size_t>(stage)]; }
  /// How many ran at a time, on average.
  double overlap() const;
  /// What was busy longest, the host or a device stage: no order of the stages is faster.
  std::string_view limit() const;
  /// Its share of the elapsed time.
  double limit_share() const;

private:
  /// The device stage that took longest.
  Stage longest_of_device() const;
};
StageSums sums_of(const StageTimes& times);

} // namespace ado::bench
