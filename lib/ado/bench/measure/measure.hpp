// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies variants and times them against each other: in turn, same data, same stream, same clock.
#pragma once

#include <ado/bench/data/witness.hpp>
#include <ado/bench/measure/stop_rule.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ado::bench {

/// What every table and record says of unverified results.
inline constexpr const char* not_verified = "not verified: --skip-verification";

/// What was found out about one variant.
struct Measurement {
  const Variant* variant = nullptr;
  std::string failure;         ///< why it could not run, or what is wrong with its result
  bool ran = false;            ///< whether it ran to its end; then a failure is a wrong result
  bool skipped = false;        ///< whether it does not run this type or shape, which is no fault
  bool refused = false;        ///< whether it refused its arguments, usually launch parameters
  bool crashed = false;        ///< whether it faulted or hung, and the program restarted
  std::string unverified;      ///< why its result is not verified; usually empty
  Check check;                 ///< of the last timed output, or the first wrong one
  std::vector<double> seconds; ///< one per timed repetition; empty for wrong results
  /// Host time to launch the same runs; on a host backend the same as `seconds`.
  std::vector<double> host_seconds;
  /// Each rank's median if several measure; `seconds` are then the slowest rank's.
  std::vector<double> rank_seconds;
  std::size_t batch = 1;  ///< runs inside one repetition
  std::string stopped_by; ///< the rule that ended the repetitions, as Stop::by() has it
  /// Distinct bit patterns among the judged outputs; 1: the result is deterministic.
  std::size_t distinct_outputs = 0;
  /// Size of the largest witness input, in which any element left out was sure to show; 0: not
  /// looked at.
  std::size_t witnessed = 0;
  double with_transfers = 0; ///< seconds from host memory to host memory; 0 on a host
  double max_difference = 0; ///< from the reference's output, if one was asked for
  DeviceState before, after; ///< around the timed runs of the row
  Launches launches;         ///< of one call, if find_launches() asked; empty on a host
  StageTimes stages;         ///< of one more run, if find_stages() asked

  /// Whether its result was checked.
  bool judged() const { return ran && unverified.empty(); }
  bool verified() const { return judged() && failure.empty(); }
  void clear_times() {
    seconds.clear();
    host_seconds.clear();
    rank_seconds.clear();
  }
};

/// A failure or a doubt of one rank counts for all.
void share_failure(Measurement& m);

/// The parameters of `launch` that the variant takes.
Launch taken_by(const Variant& variant, const Launch& launch);

/// Runs the variants interleaved, at most as many as the bench has outputs. Each is verified before
/// it is timed. The last timed output is verified too, and every other one unless its bits match a
/// right one; a wrong variant has no times. What a variant throws becomes its failure. Variants get
/// the parameters of `launch` that they take. `seen`: what each showed on witness data; one that
/// was wrong there does not run; empty: nobody looked.
std::vector<Measurement> measure(Bench& bench, const Problem& problem,
                                 const std::vector<const Variant*>& variants, const StopRule& stop,
                                 const Launch& launch = {}, const std::vector<Seen>& seen = {});

/// Runs a measured variant once more, on a GPU, to see what it launches.
void find_launches(Bench& bench, std::size_t slot, Measurement& m, const Launch& launch = {});

/// Runs one once more to see when its stages run, if it has any.
void find_stages(Bench& bench, std::size_t slot, Measurement& m, const Launch& launch = {});

/// Largest absolute difference between two outputs of a problem in host memory.
double max_difference(const Array& a, const Array& b, Type type);

} // namespace ado::bench
