// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What limits a kernel: the one rule, for estimates and for counters, and which rung cures what.
#pragma once

#include <ado/core/variant.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// The rule that Nsight Compute ships (section SpeedOfLight, rule SOLBottleneck). `compute` and
/// `memory` are per cent of what the device can do; `waves`: blocks over those that it holds at once,
/// where that is known.
///   one of them from 80 on:  near the roof of the higher one
///   one of them from 60 on:  the higher one; "balanced" where they are less than 10 apart
///   else:                    "latency", of a "small grid" where the waves are fewer than 1
/// Returns "memory", "compute", "balanced" or "latency", with ", near the roof" or ", small grid".
std::string_view limiter_by_rule(double compute, double memory, std::optional<double> waves = {});

/// The same of a stream of chunks, whose bytes come over a link: "link" stands for "memory".
std::string_view limiter_of_stream(double compute, double link);

/// A word of limiter_by_rule() or limiter_of_stream() and what it means to somebody who wants a faster kernel.
struct LimiterName {
  std::string_view name, meaning;
};
const std::vector<LimiterName>& limiter_names();

/// The next rung after `variant` that mends it: "`tiled`". Without an algorithm those of all:
/// "`coalesced` (average_mv), `tiled` (transpose)". Empty: there is none.
std::string cure_for(Cause cause, std::string_view algorithm, std::string_view variant);

} // namespace ado
