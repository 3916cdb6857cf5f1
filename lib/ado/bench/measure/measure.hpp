// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies and times variants against each other: in turn, same data, same stream, same clock.
#pragma once

#include <ado/bench/data/witness.hpp>
#include <ado/bench/measure/stop_rule.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ado {

/// What every table and record says of results that nobody looked at.
inline constexpr const char* not_verified = "not verified: --skip-verification";

/// What came of one variant.
struct Measurement {
  const Variant* variant = nullptr;
  std::string failure;    ///< why it could not run, or what is wrong with its result
  bool ran = false;       ///< whether it ran to its end; a failure is a wrong result then
  bool skipped = false;   ///< whether it does not run this type or shape, which is no fault of it
  bool refused = false;   ///< whether it refused its arguments, launch parameters mostly
  bool crashed = false;   ///< whether it faulted, or did not end, and the program restarted
  std::string unverified; ///< why nobody vouches for its result; mostly empty
  Check check;            ///< of the last timed output, or of the first wrong one
  std::vector<double> seconds; ///< one entry a timed repetition; empty for wrong results
  /// What the host took to launch the same runs; on a host backend `seconds` again.
  std::vector<double> host_seconds;
  /// Where several ranks measure, and `seconds` are those of the slowest: the median of each rank.
  std::vector<double> rank_seconds;
  std::size_t batch = 1;  ///< runs inside one repetition
  std::string stopped_by; ///< the rule that ended the repetitions, as Stop::by() has it
  /// Of what was judged: bit patterns among the outputs of its repetitions: 1 where the result is deterministic.
  std::size_t distinct_outputs = 0;
  /// Elements of the largest input of which any one that is left out was sure to show, on witness data;
  /// 0 where nobody looked.
  std::size_t witnessed = 0;
  double with_transfers = 0; ///< seconds from host memory to host memory; 0 on a host
  double max_difference = 0; ///< to the reference's output, where one was asked for
  DeviceState before, after; ///< the timed runs of the row
  Launches launches;         ///< of one call, where find_launches() asked; empty on a host
  StageTimes stages;         ///< of one more run, where find_stages() asked

  /// Whether somebody looked at its result, and said something.
  bool judged() const { return ran && unverified.empty(); }
  bool verified() const { return judged() && failure.empty(); }
  void clear_times() {
    seconds.clear();
    host_seconds.clear();
    rank_seconds.clear();
  }
};

/// Those of the parameters that the variant takes.
Launch taken_by(const Variant& variant, const Launch& launch);

/// Runs the variants, at most as many as the bench has outputs, interleaved. Each is verified
/// before it is timed, and so is the output of every timed run unless it has the bits of one found
/// right, and of the last; a wrong variant has no times. What one of them throws becomes its failure.
/// Variants that take launch parameters get those of `launch`. `seen`: what each showed on witness data; one that
/// was wrong there is not run; empty: nobody looked.
std::vector<Measurement> measure(Bench& bench, const Problem& problem,
                                 const std::vector<const Variant*>& variants, const StopRule& stop,
                                 const Launch& launch = {}, const std::vector<Seen>& seen = {});

/// Runs a variant that measure() measured, on a GPU, once more to see what it launches.
void find_launches(Bench& bench, std::size_t slot, Measurement& m, const Launch& launch = {});

/// Runs one once more to see when its stages run, where runs have some.
void find_stages(Bench& bench, std::size_t slot, Measurement& m, const Launch& launch = {});

/// Largest absolute difference between two outputs of a problem in host memory.
double max_difference(const Array& a, const Array& b, Type type);

} // namespace ado
