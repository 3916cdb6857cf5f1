// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks variants on the program's own data, where anything left out or counted twice shows
// (Witness). No rounding bound is that sharp: for long sums it lets a missing quarter pass.
#pragma once

#include <ado/bench/data/workbench.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace ado::bench {

/// What a variant showed on witness data.
struct Seen {
  std::string failure{};  ///< what was wrong, or what it threw; empty: nothing
  bool ran = false;       ///< whether it ran to its end; then a failure is a wrong result
  bool refused = false;   ///< whether it refused its arguments
  std::string not_seen{}; ///< why nobody knows; empty: it is known
  /// Size of the largest input, in which any element left out or counted twice was sure to show.
  std::size_t elements = 0;
};

class WitnessBench {
public:
  /// Allocates and fills the arrays if the problem has witness data. `random_bits`: variants will
  /// be measured on data random in all bits. If nothing is summed, that shows as much, and nothing
  /// runs here. Throws OutOfMemory.
  explicit WitnessBench(Device& device, const Problem& problem, bool random_bits = false)
      : WitnessBench(device, problem, random_bits, rows_apart(problem.row_padding)) {}
  WitnessBench(Device& device, const Problem& problem, bool random_bits,
               const Placements& placements);

  /// Runs it once, if it has the type. With a workspace, runs it again on data of the opposite
  /// sign, so that nothing kept there can pass. `launch`: the parameters that the variant takes.
  Seen see(const Variant& variant, const Launch& launch);

private:
  std::string run(const Variant& variant, const Launch& launch, unsigned turn);

  Device& device_;
  Problem problem_;
  std::optional<Witness> witness_;
  std::optional<HostData> data_;
  std::optional<Workbench> bench_;
  std::size_t largest_ = 0;  ///< index of the largest input
  std::size_t elements_ = 0; ///< its size
  bool negated_ = false;     ///< whether its sign is opposite to what the oracle saw
};

} // namespace ado::bench
