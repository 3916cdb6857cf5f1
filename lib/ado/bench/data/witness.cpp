// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/witness.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <exception>

namespace ado::bench {
namespace {

/// A seed that no user chooses: measured data must be others.
constexpr std::uint64_t seed = 0x6f74686572;

/// Calls `change`, then `run`, and `restore` on every way out, unless the device is lost.
template <class Change, class Restore, class Run>
std::string run_changed(Device& device, const Change& change, const Restore& restore,
                        const Run& run) {
  try {
    change();
    const std::string wrong = run();
    restore();
    return wrong;
  } catch (...) {
    end_if_lost(device);
    restore();
    throw;
  }
}

} // namespace

WitnessInputs::WitnessInputs(const Problem& problem, bool random_bits)
    : problem_(problem),
      random_bits_(random_bits),
      witness_(problem.algorithm->witness == nullptr
                   ? Witness{}
                   : problem.algorithm->witness(problem.shape, problem.type)) {
  const std::vector<ArraySpec> specs = problem.algorithm->arrays(problem.shape);
  const std::optional<std::size_t> largest = largest_input(specs);
  if (largest) elements_ = element_count(specs[*largest]);
  // Extremes of a rank's rows would be others than those of the whole.
  const auto is_short_output = [&](const ArraySpec& spec) {
    return spec.output && 2 * element_count(spec) <= elements_;
  };
  extremes_ = problem.algorithm->witness == nullptr && problem.algorithm->whole == nullptr &&
              std::any_of(specs.begin(), specs.end(), is_short_output);
  const bool is_real = problem.type == Type::f32 || problem.type == Type::f64;
  if (judge() && witness_->odd && is_real && largest && !specs[*largest].own_type)
    negated_ = largest;
}

void WitnessInputs::fill(HostData& data) const {
  extremes_ ? data.make_with_extremes(seed) : data.make(witness_.value_or(Witness{}), seed);
}

Seen WitnessInputs::known(const Variant& variant) const {
  Seen seen;
  if (!why_skipped(problem_, variant).empty()) return seen;
  if (witness_)
    seen.elements = elements_;
  else
    seen.not_seen = "there is no witness data of this size in " +
                    std::string(name_of(problem_.type)) +
                    ", so nothing shows that no element is left out";
  seen.failure = known_fault(variant);
  return seen;
}

/// Runs what is prepared. Returns what is wrong, or nothing.
std::string WitnessInputs::run(Workbench& bench, const Variant& variant, const Launch& launch,
                               bool negated) const {
  run_and_wait(bench, variant, 0, launch);
  if (!judge()) return ranks().any_failure("");
  Tolerance tolerance = witness_->exact ? 0 : bench.rounding_steps(variant, launch);
  if (witness_->largest > 0) tolerance.at_most = witness_->step / 2;
  tolerance.negated = negated;
  return ranks().any_failure(bench.verify(0, tolerance).first_wrong);
}

/// Returns which input a variant changed, in words, or nothing.
std::string WitnessInputs::restore_changed_input(HostData& data, Workbench& bench) const {
  const std::string input = bench.changed_input();
  const std::string wrong =
      ranks().any_failure(input.empty() ? "" : "the input " + input + " was changed");
  if (wrong.empty()) return "";
  fill(data);
  bench.renew_inputs();
  return wrong;
}

std::string
WitnessInputs::failure_on_changed_inputs(HostData& data, Workbench& bench, const Variant& variant,
                                         const Launch& launch, const Seen& before,
                                         const std::function<void()>& load_measured) const {
  if (negated_ && !data.oracle().reads_inputs()) {
    const auto negate = [&] { bench.negate_input(*negated_); };
    const std::string wrong = run_changed(bench.device(), negate, negate, [&] {
      bench.prepare(variant, 0, 1);
      return run(bench, variant, launch, true);
    });
    return wrong.empty() ? "" : "WRONG where an input changes between runs: " + wrong;
  }
  if (!load_measured) return "";
  const auto load = [&] {
    load_measured();
    bench.renew_inputs();
  };
  const auto load_these = [&] {
    fill(data);
    bench.renew_inputs();
  };
  const std::string wrong = run_changed(bench.device(), load, load_these, [&]() -> std::string {
    bench.prepare(variant, 0, 0); // the same poison as before
    run_and_wait(bench, variant, 0, launch);
    const std::string found = bench.verify(0, bench.rounding_steps(variant, launch)).first_wrong;
    const bool is_kept = !found.empty() && bench.output_checksum(0) == before.output;
    return ranks().any_failure(is_kept ? found + kept_result : found);
  });
  return wrong.empty() ? "" : "WRONG: " + wrong;
}

Seen WitnessInputs::see(HostData& data, Workbench& bench, const Variant& variant,
                        const Launch& launch, const std::function<void()>& load_measured) const {
  Seen seen = known(variant);
  if (!why_skipped(problem_, variant).empty() || !seen.failure.empty()) return seen;
  try {
    if (judge()) data.oracle(); // before a variant may change an input
    bench.reserve_workspace(variant);
    bench.prepare(variant, 0, 0);
    const std::uint64_t empty = bench.output_checksum(0);
    if (const std::string wrong = run(bench, variant, launch, false); !wrong.empty())
      seen.failure =
          (extremes_ ? "WRONG where an end of each row is extreme: " : "WRONG on witness data: ") +
          wrong;
    if (const std::uint64_t sum = bench.output_checksum(0); sum != empty && elements_ > 0)
      seen.output = sum;
    if (const std::string wrong = restore_changed_input(data, bench); !wrong.empty())
      seen.failure = "WRONG: " + wrong;
    const bool may_keep = variant.workspace_bytes != nullptr || variant.staging_bytes != nullptr;
    if (seen.failure.empty() && may_keep)
      seen.failure = failure_on_changed_inputs(data, bench, variant, launch, seen, load_measured);
    seen.ran = true;
  } catch (const InputError&) { // of load_measured(): no variant's failure
    throw;
  } catch (const OtherRankFailed& error) {
    seen.failure = error.what();
  } catch (const InvalidArgument& error) {
    seen.failure = ranks().any_failure(error.what());
    seen.refused = true;
  } catch (const std::exception& error) {
    end_if_lost(bench.device());
    if (variant.on_ranks) throw; // as in measure()
    seen.failure = ranks().any_failure(error.what());
  }
  if (!seen.ran) {
    bench.device().settle();
    end_if_lost(bench.device());
  }
  return seen;
}

WitnessBench::WitnessBench(Device& device, const Problem& problem, bool random_bits,
                           const Placements& placements)
    : inputs_(problem, random_bits) {
  if (!inputs_.judge()) return;
  data_.emplace(problem, placements);
  inputs_.fill(*data_);
  bench_.emplace(device, *data_, 1);
}

} // namespace ado::bench
