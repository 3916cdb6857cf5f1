// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/stats/statistics.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <set>

namespace ado::bench {
namespace {

/// Shorter runs are batched: clocks tick in half microseconds, and thousands of repetitions would
/// say no more than hundreds.
constexpr double shortest_repetition = 200e-6;
constexpr double largest_batch = 1000;
/// For longer runs, the cost of a kernel's first use hardly counts.
constexpr double first_use = 50e-3;

/// One variant on its way through measure().
struct Trial {
  Bench& bench;
  std::vector<ArraySpec> outputs;
  Type type; ///< of the run
  std::size_t slot;
  Launch launch;
  bool cold_cache;
  bool skip_verification;
  bool exchanges; ///< ranks exchange data, so the host takes part
  Measurement m{};
  double host_seconds = 0; ///< that the host last took to launch a run
  double own_seconds = 0;  ///< that this rank last took for a run
  /// Checksums of right outputs with guards, by the turn's poison.
  std::array<std::set<std::uint64_t>, 2> right{};
  /// Elements of right outputs that held the turn's poison: which output, and where.
  std::array<std::vector<std::pair<std::size_t, std::size_t>>, 2> poisoned{};
  std::optional<std::uint64_t> on_other_inputs{}; ///< Seen::output
  unsigned turn = 0;                              ///< even or odd: which of the two poisons
  bool judged = false;                            ///< whether the output is already verified
};

/// What is wrong with a right output, or empty. A NaN where NaN is right may be the poison. Another
/// turn has the other poison; an input's NaN of the same bits stays as it is.
std::string never_written(Trial& trial) {
  auto& poisoned = trial.poisoned[trial.turn % 2];
  poisoned.clear();
  for (std::size_t k = 0; k < trial.outputs.size(); ++k) {
    const Type type = trial.outputs[k].type(trial.type);
    const Array& output = trial.bench.host_output(trial.slot, k);
    for (const std::size_t element : elements_that_hold(output, type, poison(type, trial.turn)))
      poisoned.emplace_back(k, element);
  }
  std::vector<std::pair<std::size_t, std::size_t>> in_both;
  std::set_intersection(trial.poisoned[0].begin(), trial.poisoned[0].end(),
                        trial.poisoned[1].begin(), trial.poisoned[1].end(),
                        std::back_inserter(in_both));
  if (in_both.empty()) return "";
  const auto [k, element] = in_both.front();
  return (trial.outputs.size() == 1 ? "" : std::string(trial.outputs[k].name) + ": ") +
         not_written(trial.bench.host_output(trial.slot, k), element);
}

/// Verifies the output and that the inputs are unchanged. `when` goes into the failure.
void judge_here(Trial& trial, const std::string& when) {
  Measurement& m = trial.m;
  const double roundings = trial.bench.rounding_steps(*m.variant, trial.launch);
  m.check = trial.bench.verify(trial.slot, roundings);
  std::string wrong = m.check.ok ? never_written(trial) : m.check.first_wrong;
  if (const std::string input = trial.bench.changed_input(); !input.empty())
    wrong = "the input " + input + " was changed";
  const std::uint64_t sum = trial.bench.output_checksum(trial.slot);
  if (!wrong.empty()) {
    if (trial.turn == 0 && sum == trial.on_other_inputs && wrong == m.check.first_wrong)
      wrong += kept_result;
    m.failure = "WRONG" + when + ": " + wrong;
    m.clear_times();
    return;
  }
  trial.right[trial.turn % 2].insert(sum);
  if (m.check.unlikely.empty() && trial.poisoned[trial.turn % 2].empty())
    trial.bench.note_right({sum, trial.turn % 2 == 1, roundings});
  if (!m.check.unlikely.empty())
    m.unverified = "not verified: its " + number("%.0f", roundings) +
                   " roundings in a row lose digits: " + m.check.unlikely;
}

void judge(Trial& trial, const std::string& when) {
  judge_here(trial, when);
  share_failure(trial.m);
}

/// The same, unless all ranks know the output's bits to be right, from here or another row; returns
/// whether it had to look.
bool judge_unless_known(Trial& trial, const std::string& when) {
  if (trial.skip_verification) return false;
  const std::uint64_t sum = trial.bench.output_checksum(trial.slot);
  std::set<std::uint64_t>& right = trial.right[trial.turn % 2];
  if (trial.bench.was_right(
          {sum, trial.turn % 2 == 1, trial.bench.rounding_steps(*trial.m.variant, trial.launch)}))
    right.insert(sum);
  if (!ranks().any(right.count(sum) == 0)) return false;
  judge(trial, when);
  return true;
}

std::string in_timed_run(const Trial& trial) {
  return " in timed run " + std::to_string(trial.m.seconds.size());
}

/// Runs it `count` times in a row; returns seconds on the queue per run. If the host takes part to
/// the end, it returns the host's time and does not hold the device, which would be in the way.
/// Ranks start together, and the slowest one's time counts.
double run_batch(Trial& trial, std::size_t count) {
  const auto runs = static_cast<double>(count);
  const bool by_host = trial.bench.by_host();
  constexpr double most = 5e-3; // bounds the wait inside a call
  const double hold =
      by_host || trial.exchanges ? 0 : std::min(most, 1.5 * runs * trial.host_seconds);
  if (by_host || ranks().several()) trial.bench.device().fence();
  ranks().line_up();
  const auto runs_in_a_row = [&] {
    for (std::size_t run = 0; run < count; ++run)
      trial.bench.run(*trial.m.variant, trial.slot, trial.launch);
  };
  const Elapsed elapsed = [&] {
    const KernelRun run(*trial.m.variant);
    return trial.bench.device().run_timed(runs_in_a_row, hold);
  }();
  trial.host_seconds = elapsed.host / runs;
  trial.own_seconds = (by_host ? elapsed.host : elapsed.queue) / runs;
  return ranks().largest(trial.own_seconds);
}

/// Finds how many runs make a repetition. Reading the clock weighs more the fewer runs there are,
/// so each result is tried.
void find_batch(Trial& trial) {
  std::size_t& count = trial.m.batch;
  double seconds = run_batch(trial, count);
  while (seconds * double(count) < 0.75 * shortest_repetition && double(count) < largest_batch) {
    count = static_cast<std::size_t>(
        std::min(largest_batch, std::ceil(shortest_repetition / seconds))); // seconds may be 0
    seconds = run_batch(trial, count);
  }
}

/// A batch leaves only its last run's output, so first each of as many runs in a row is checked.
void see_each_run(Trial& trial) {
  for (std::size_t run = 1; run <= trial.m.batch && trial.m.failure.empty(); ++run) {
    run_and_wait(trial.bench, *trial.m.variant, trial.slot, trial.launch);
    judge_unless_known(trial, " in run " + std::to_string(run) + " of " +
                                  std::to_string(trial.m.batch) + " in a row");
  }
}

/// First runs: poisons, verifies, and finds repetitions that are long enough.
void warm_up(Trial& trial, const StopRule& stop) {
  Measurement& m = trial.m;
  Bench& bench = trial.bench;
  bench.reserve_workspace(*m.variant);
  bench.prepare(*m.variant, trial.slot, 0);
  double seconds = run_batch(trial, 1);
  m.ran = true;
  if (trial.skip_verification)
    m.unverified = not_verified;
  else
    judge(trial, "");
  if (m.verified() && bench.overran_workspace())
    m.failure = "WRONG: memory behind the workspace was overwritten";
  if (!m.failure.empty()) return;
  for (std::size_t run = 1; run < stop.warmup; ++run)
    seconds = run_batch(trial, 1);
  // The second run of a batch would find the first one's data in a cache, and a stream of chunks is
  // long enough by itself.
  if (stop.cold_cache || trial.bench.by_host()) return;
  if (seconds < first_use) find_batch(trial);
  if (m.batch > 1 && !trial.skip_verification) see_each_run(trial);
}

/// One timed repetition. Verifies its output unless its bits are known to be right.
void time_once(Trial& trial, unsigned turn) {
  Measurement& m = trial.m;
  // Each poison twice: a variant that alternates between two results shows both under one.
  trial.turn = (turn + 1) / 2;
  trial.bench.prepare(*m.variant, trial.slot, trial.turn);
  if (trial.cold_cache) trial.bench.empty_caches();
  m.seconds.push_back(run_batch(trial, m.batch));
  if (ranks().several()) m.rank_seconds.push_back(trial.own_seconds);
  m.host_seconds.push_back(trial.host_seconds);
  trial.judged = judge_unless_known(trial, in_timed_run(trial));
}

/// Calls `step` and keeps what it throws as the variant's failure: one case never ends a run. Waits
/// for what that variant launched on its own streams before its memory is used again.
template <class Step>
void guarded(Device& device, Measurement& m, Step&& step) {
  if (!m.failure.empty()) return;
  const auto fail = [&](const std::exception& error) {
    m.failure = error.what();
    m.ran = false;
    m.clear_times();
    device.settle();
  };
  try {
    step();
  } catch (const OtherRankFailed& error) { // the failed rank has told all
    return fail(error);
  } catch (const InvalidArgument& error) {
    fail(error);
    m.refused = true;
  } catch (const std::exception& error) {
    end_if_lost(device);
    if (m.variant->on_ranks) throw; // others may wait inside it forever
    fail(error);
    end_if_lost(device); // it may show only now
  }
  const bool was_well = m.failure.empty();
  share_failure(m);
  if (was_well && !m.failure.empty()) m.ran = false;
}

/// Runs all in turn until the rule ends it, then verifies the outputs left over.
void time_in_turn(std::vector<Trial>& trials, Device& device, const StopRule& rule) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Stop stop(rule);
  std::vector<const Measurement*> timed;
  unsigned turn = 0;
  std::minstd_rand draws; // the same on all ranks
  const DeviceState before = device.state();
  do {
    ++turn;
    timed.clear();
    // Draws who is first. A disturbance, however long, then falls on either alike, and
    // independently of earlier turns.
    const bool in_order = draws() % 2 == 1;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      Trial& trial = trials[in_order ? k : trials.size() - 1 - k];
      guarded(device, trial.m, [&] { time_once(trial, turn); });
    }
    for (const Trial& trial : trials)
      if (trial.m.failure.empty()) timed.push_back(&trial.m);
  } while (!timed.empty() && interrupted_anywhere() == 0 &&
           !stop.after(timed, ranks().largest(
                                  std::chrono::duration<double>(Clock::now() - start).count())));
  const DeviceState after = device.state();
  for (Trial& trial : trials) {
    trial.m.before = before;
    trial.m.after = after;
    if (!trial.judged && !trial.skip_verification)
      guarded(device, trial.m, [&] { judge(trial, in_timed_run(trial)); });
    if (!trial.m.seconds.empty()) trial.m.stopped_by = stop.by();
  }
}

/// What the table says of all ranks: each rank's median, and the worst errors.
void gather(Measurement& m) {
  if (!ranks().several()) return;
  const bool timed = !m.rank_seconds.empty() && !m.seconds.empty();
  const std::vector<double> medians = ranks().numbers(timed ? median(m.rank_seconds) : 0);
  m.rank_seconds = timed ? medians : std::vector<double>();
  m.with_transfers = ranks().largest(m.with_transfers);
  m.check.max_error = ranks().largest(m.check.max_error);
  m.check.worst_bound_share = ranks().largest(m.check.worst_bound_share);
  m.distinct_outputs = static_cast<std::size_t>(ranks().largest(double(m.distinct_outputs)));
}

void take(const Seen& seen, Measurement& m) {
  m.failure = seen.failure;
  m.ran = seen.ran;
  m.refused = seen.refused;
  m.witnessed = seen.elements;
  if (!seen.not_seen.empty()) m.unverified = "not verified: " + seen.not_seen;
}

} // namespace

void share_failure(Measurement& m) {
  if (!ranks().several()) return;
  m.failure = ranks().any_failure(m.failure);
  if (!m.failure.empty()) return m.clear_times();
  for (const std::string& text : ranks().texts(m.unverified))
    if (m.unverified.empty()) m.unverified = text;
}

Launch taken_by(const Variant& variant, const Launch& launch) {
  return {variant.takes_team_size ? launch.team_size : 0,
          variant.takes_league_size ? launch.league_size : 0,
          variant.takes_stride ? launch.stride : 0};
}

std::vector<Measurement> measure(Bench& bench, const Problem& problem,
                                 const std::vector<const Variant*>& variants, const StopRule& stop,
                                 const Launch& launch, const std::vector<Seen>& seen) {
  std::vector<Trial> trials;
  for (std::size_t slot = 0; slot < variants.size(); ++slot) {
    trials.push_back({.bench = bench,
                      .outputs = problem.outputs(),
                      .type = problem.type,
                      .slot = slot,
                      .launch = taken_by(*variants[slot], launch),
                      .cold_cache = stop.cold_cache,
                      .skip_verification = stop.skip_verification,
                      .exchanges = problem.algorithm->exchanges(problem.shape)});
    Measurement& m = trials.back().m;
    m.variant = variants[slot];
    m.failure = why_skipped(problem, *m.variant);
    m.skipped = !m.failure.empty();
    if (!seen.empty() && !m.skipped) {
      take(seen[slot], m);
      trials.back().on_other_inputs = seen[slot].output;
    }
    if (const std::string fault = known_fault(*m.variant); !fault.empty() && !m.skipped) {
      m.failure = fault;
      m.crashed = true;
    }
    guarded(bench.device(), m, [&] { warm_up(trials.back(), stop); });
  }
  time_in_turn(trials, bench.device(), stop);
  std::vector<Measurement> all;
  for (Trial& trial : trials) {
    guarded(bench.device(), trial.m, [&] {
      if (bench.device().on_host || bench.by_host()) return;
      const KernelRun run(*trial.m.variant);
      trial.m.with_transfers =
          bench.seconds_with_transfers(*trial.m.variant, trial.slot, trial.launch);
      judge_unless_known(trial, " in the run with transfers");
    });
    trial.m.distinct_outputs = std::max(trial.right[0].size(), trial.right[1].size());
    gather(trial.m);
    all.push_back(std::move(trial.m));
  }
  return all;
}

void find_launches(Bench& bench, std::size_t slot, Measurement& m, const Launch& launch) {
  if (bench.device().on_host) return;
  guarded(bench.device(), m, [&] {
    const KernelRun run(*m.variant);
    m.launches = bench.device().launches_of(
        [&] { bench.run_sample(*m.variant, slot, taken_by(*m.variant, launch)); });
    std::vector<LaunchFacts>& kernels = m.launches.kernels;
    const Algorithm* algorithm = find_algorithm(m.variant->algorithm);
    const bool by_chunks = algorithm != nullptr && algorithm->host_arrays;
    if (by_chunks && !kernels.empty()) kernels.resize(1); // each chunk launches the same
  });
}

void find_stages(Bench& bench, std::size_t slot, Measurement& m, const Launch& launch) {
  if (!bench.by_host()) return;
  guarded(bench.device(), m, [&] {
    bench.reserve_workspace(*m.variant);
    const KernelRun run(*m.variant);
    m.stages = bench.device().stages_of([&](StageRecorder& stages) {
      bench.run(*m.variant, slot, taken_by(*m.variant, launch), &stages);
    });
  });
}

double max_difference(const Array& a, const Array& b, Type type) {
  double largest = 0;
  with_parts(type, [&](auto zero, std::size_t parts) {
    using T = decltype(zero);
    const ArrayRows rows_of_a(a), rows_of_b(b);
    for (std::size_t i = 0; i < rows_of_a.count; ++i)
      for (std::size_t j = 0; j < rows_of_a.length * parts; ++j) {
        const auto x = static_cast<double>(a.as<const T>()[rows_of_a.start(i) * parts + j]);
        const auto y = static_cast<double>(b.as<const T>()[rows_of_b.start(i) * parts + j]);
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        largest = larger(largest, std::fabs(x - y));
      }
  });
  return largest;
}

} // namespace ado::bench
