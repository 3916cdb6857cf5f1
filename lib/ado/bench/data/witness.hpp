// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks variants before they are measured, on other inputs: witness data, where anything left out
// or counted twice shows (Witness). No rounding bound is that sharp: for long sums it lets a
// missing quarter pass.
#pragma once

#include <ado/bench/data/workbench.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ado::bench {

/// Said behind what is wrong with a result that has the same bits on other inputs.
inline constexpr const char* kept_result =
    "; it has the bits of the result of earlier inputs, so it was kept and not computed";

/// What a variant showed on witness data.
struct Seen {
  std::string failure{};  ///< what was wrong, or what it threw; empty: nothing
  bool ran = false;       ///< whether it ran to its end; then a failure is a wrong result
  bool refused = false;   ///< whether it refused its arguments
  std::string not_seen{}; ///< why nobody knows; empty: it is known
  /// Size of the largest input, in which any element left out or counted twice was sure to show.
  std::size_t elements = 0;
  /// Checksum of the output there, guards included. The same bits on other inputs were kept.
  /// Absent: there are no inputs, or nothing was written.
  std::optional<std::uint64_t> output{};
};

/// Inputs for a first run. The measured inputs then replace them in the same arrays, so a result
/// kept from an earlier call is wrong.
class WitnessInputs {
public:
  /// `random_bits`: variants will be measured on data random in all bits. If nothing is summed,
  /// that shows as much as a witness.
  WitnessInputs(const Problem& problem, bool random_bits);

  /// Whether results on them are judged; else they are only other data.
  bool judge() const {
    return witness_ && (extremes_ || !(random_bits_ && witness_->largest == 0));
  }
  void fill(HostData& data) const;

  /// Runs it once on these inputs, which `data` and `bench` hold. If it has a workspace, it runs
  /// there a second time, after the inputs changed: to the opposite sign, or by `load_measured`.
  /// Leaves these inputs behind. Throws InputError if load_measured() does. `launch`: the
  /// parameters that the variant takes.
  Seen see(HostData& data, Workbench& bench, const Variant& variant, const Launch& launch,
           const std::function<void()>& load_measured = {}) const;
  /// The same without a run: what is known before.
  Seen known(const Variant& variant) const;

private:
  std::string run(Workbench& bench, const Variant& variant, const Launch& launch,
                  bool negated) const;
  std::string restore_changed_input(HostData& data, Workbench& bench) const;
  std::string failure_on_changed_inputs(HostData& data, Workbench& bench, const Variant& variant,
                                        const Launch& launch, const Seen& before,
                                        const std::function<void()>& load_measured) const;

  Problem problem_;
  bool random_bits_;
  std::optional<Witness> witness_;
  /// Whether many inputs make one output, and nobody says how. A maximum or its place depends on
  /// few of them, so rows get an extreme at an end.
  bool extremes_ = false;
  std::size_t elements_ = 0; ///< size of the largest input
  /// The largest input, if it may get the opposite sign.
  std::optional<std::size_t> negated_{};
};

/// The same in arrays of its own, which it has only if results on them are judged.
class WitnessBench {
public:
  /// Throws OutOfMemory.
  explicit WitnessBench(Device& device, const Problem& problem, bool random_bits = false)
      : WitnessBench(device, problem, random_bits, rows_apart(problem.row_padding)) {}
  WitnessBench(Device& device, const Problem& problem, bool random_bits,
               const Placements& placements);

  Seen see(const Variant& variant, const Launch& launch) {
    return bench_ ? inputs_.see(*data_, *bench_, variant, launch) : inputs_.known(variant);
  }

private:
  WitnessInputs inputs_;
  std::optional<HostData> data_;
  std::optional<Workbench> bench_;
};

} // namespace ado::bench
