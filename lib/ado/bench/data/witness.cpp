// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/witness.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/core/error.hpp>

#include <exception>

namespace ado::bench {

WitnessBench::WitnessBench(Device& device, const Problem& problem, bool random_bits,
                           const Placements& placements)
    : device_(device),
      problem_(problem),
      witness_(problem.algorithm->witness == nullptr
                   ? Witness{}
                   : problem.algorithm->witness(problem.shape, problem.type)) {
  const std::vector<ArraySpec> specs = problem.algorithm->arrays(problem.shape);
  largest_ = largest_input(specs);
  elements_ = element_count(specs[largest_]);
  if (!witness_ || (random_bits && witness_->largest == 0)) return;
  constexpr std::uint64_t seed = 1;
  data_.emplace(problem, placements);
  data_->make(*witness_, seed);
  bench_.emplace(device, *data_, 1);
}

/// Returns what is wrong, or nothing.
std::string WitnessBench::run(const Variant& variant, const Launch& launch, unsigned turn) {
  bench_->prepare(variant, 0, turn);
  run_and_wait(*bench_, variant, 0, launch);
  Tolerance tolerance = witness_->exact ? 0 : bench_->rounding_steps(variant, launch);
  if (witness_->largest > 0) tolerance.at_most = witness_->step / 2;
  tolerance.negated = negated_;
  return ranks().any_failure(bench_->verify(0, tolerance).first_wrong);
}

Seen WitnessBench::see(const Variant& variant, const Launch& launch) {
  Seen seen;
  if (!why_skipped(problem_, variant).empty()) return seen;
  if (!witness_) {
    seen.not_seen = "sums of this length are not exact in " + std::string(name_of(problem_.type)) +
                    ", so nothing shows that no element is left out";
    return seen;
  }
  seen.elements = elements_;
  seen.failure = known_fault(variant);
  if (!bench_ || !seen.failure.empty()) return seen;
  try {
    if (!negated_) data_->oracle(); // while the inputs have their original signs
    bench_->reserve_workspace(variant);
    if (const std::string wrong = run(variant, launch, 0); !wrong.empty())
      seen.failure = "WRONG on witness data: " + wrong;
    const bool may_keep = variant.workspace_bytes != nullptr || variant.staging_bytes != nullptr;
    if (seen.failure.empty() && may_keep && witness_->largest > 0) {
      bench_->negate_input(largest_);
      negated_ = !negated_;
      if (const std::string wrong = run(variant, launch, 1); !wrong.empty())
        seen.failure = "WRONG where an input changes between runs: " + wrong;
    }
    seen.ran = true;
  } catch (const OtherRankFailed& error) {
    seen.failure = error.what();
  } catch (const InvalidArgument& error) {
    seen.failure = ranks().any_failure(error.what());
    seen.refused = true;
  } catch (const std::exception& error) {
    end_if_lost(device_);
    if (variant.on_ranks) throw; // as in measure()
    seen.failure = ranks().any_failure(error.what());
  }
  if (!seen.ran) {
    device_.settle();
    end_if_lost(device_);
  }
  return seen;
}

} // namespace ado::bench
