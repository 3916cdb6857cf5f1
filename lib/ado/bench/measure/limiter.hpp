// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What limits a kernel: one rule for estimates and counters, and the rung that cures it.
#pragma once

#include <ado/registry/variant.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// Nsight Compute's rule (section SpeedOfLight, rule SOLBottleneck). `compute` and `memory` are
/// percentages of what the device can do; `waves` are blocks over those that fit at once, if known.
///   one of them from 80 on:  near the roof of the higher one
///   one of them from 60 on:  the higher one; "balanced" where they are less than 10 apart
///   else:                    "latency", of a "small grid" where the waves are fewer than 1
/// Returns "memory", "compute", "balanced" or "latency", with ", near the roof" or ", small grid".
std::string_view limiter_by_rule(double compute, double memory, std::optional<double> waves = {});

/// The same for a stream of chunks, whose bytes come over a link: "link" replaces "memory".
std::string_view limiter_of_stream(double compute, double link);

/// A word of limiter_by_rule() or limiter_of_stream(), and what it means if you want a faster
/// kernel.
struct LimiterName {
  std::string_view name, meaning;
};
const std::vector<LimiterName>& limiter_names();

/// The next rung after `variant` that cures it: "`tiled`". Without an algorithm, those of all:
/// "`coalesced` (average_mv), `tiled` (transpose)". Empty: none.
std::string cure_for(Cause cause, std::string_view algorithm, std::string_view variant);

} // namespace ado::bench
