// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether variants are right on data of the program's own, on which whatever is left out, or is there twice, shows
// (Witness). No bound of rounding errors is that sharp: over long sums it has room for a missing quarter.
#pragma once

#include <ado/bench/data/workbench.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace ado {

/// What a variant showed there.
struct Seen {
  std::string failure{};  ///< what was wrong, or what it threw; empty: nothing
  bool ran = false;       ///< whether it ran to its end; a failure is a wrong result then
  bool refused = false;   ///< whether it refused its arguments
  std::string not_seen{}; ///< why nobody knows; empty: it is known
  /// Of the largest input, of which any one that is left out or is there twice was sure to show.
  std::size_t elements = 0;
};

class WitnessBench {
public:
  /// Allocates and fills the arrays, where there is witness data for the problem. `random_bits`: the data that
  /// variants will be measured on is random in all bits. Where nothing is summed it shows as much, and nothing
  /// need run here. Throws OutOfMemory.
  explicit WitnessBench(Device& device, const Problem& problem, bool random_bits = false)
      : WitnessBench(device, problem, random_bits, rows_apart(problem.row_padding)) {}
  WitnessBench(Device& device, const Problem& problem, bool random_bits,
               const Placements& placements);

  /// Runs it once, if it has the type, and with a workspace a second time on data of the opposite sign, so
  /// that nothing that it kept there can pass. `launch`: what the variant takes.
  Seen see(const Variant& variant, const Launch& launch);

private:
  std::string run(const Variant& variant, const Launch& launch, unsigned turn);

  Device& device_;
  Problem problem_;
  std::optional<Witness> witness_;
  std::optional<HostData> data_;
  std::optional<Workbench> bench_;
  std::size_t largest_ = 0;  ///< index of the largest input
  std::size_t elements_ = 0; ///< of that
  bool negated_ = false;     ///< whether that has the opposite sign of what the oracle saw
};

} // namespace ado
