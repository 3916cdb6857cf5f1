// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/profile/diagnose.hpp>
#include <ado/bench/profile/profile.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/run/journal_row.hpp>
#include <ado/bench/run/run_facts.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>

namespace ado::bench {
namespace {

/// On a full device, four times the work takes at least this many times as long.
constexpr double full = 2.5;
/// A team size counts if it saves this share of the time.
constexpr double worth_while = 0.1;

/// The median of some runs, each long enough for the clock. Verifies nothing: that was done before.
double seconds_of(Workbench& bench, const Variant& variant, const Launch& launch) {
  Device& device = bench.device();
  bench.reserve_workspace(variant);
  bench.prepare(variant, 0, 0);
  const auto once = [&] { bench.run(variant, 0, launch); };
  const auto timed = [&](const std::function<void()>& work, double hold) {
    const KernelRun run(variant);
    return device.run_timed(work, hold);
  };
  timed(once, 0);
  const Elapsed first = timed(once, 0);
  const double batch = std::clamp(std::ceil(1e-3 / std::max(first.queue, 1e-9)), 1.0, 1000.0);
  const auto many = [&] {
    for (int run = 0; run < static_cast<int>(batch); ++run)
      once();
  };
  std::vector<double> seconds; // of the GPU alone, held until the host has launched the batch
  for (int repetition = 0; repetition < 5; ++repetition)
    seconds.push_back(timed(many, std::min(5e-3, first.host * batch)).queue / batch);
  return median(seconds);
}

/// Time at `factor` times the first size, so with that many times the work.
double seconds_at(int factor, const Options& options, const RowResult& row, const Variant& variant,
                  Device& device) {
  Problem problem = row.problem;
  problem.shape[0] *= static_cast<std::size_t>(factor);
  if (!memory_shortage(problem, device).empty()) return 0;
  try {
    HostData data(problem);
    data.make(options.data, options.seed);
    Workbench bench(device, data, 1);
    return seconds_of(bench, variant, taken_by(variant, row.launch));
  } catch (const OutOfMemory&) {
    return 0;
  }
}

void try_team_sizes(Experiments& found, const Options& options, const RowResult& row,
                    const Variant& variant, Device& device, double usual) {
  if (!variant.takes_team_size) return;
  HostData data(row.problem);
  data.make(options.data, options.seed);
  Workbench bench(device, data, 1);
  for (const int size : team_sizes_of(device)) {
    Launch launch = taken_by(variant, row.launch);
    launch.team_size = size;
    try {
      found.team_sizes.emplace_back(size, seconds_of(bench, variant, launch) / usual);
    } catch (const InvalidArgument&) { // does not fit this kernel
    }
  }
}

Experiments experiment(const Options& options, const RowResult& row, const Measurement& m,
                       Device& device) {
  Experiments found;
  found.on_host = device.on_host;
  const Variant& variant = *m.variant;
  double usual = seconds_at(1, options, row, variant, device);
  if (usual > 0) {
    double twice = seconds_at(2, options, row, variant, device);
    if (twice < usual) { // somebody else used the machine
      usual = std::min(usual, seconds_at(1, options, row, variant, device));
      twice = seconds_at(2, options, row, variant, device);
    }
    found.at_twice = twice / usual;
    found.at_four_times = seconds_at(4, options, row, variant, device) / usual;
    try_team_sizes(found, options, row, variant, device, usual);
  }
  const std::vector<Access> accesses = accesses_of(row, variant);
  found.global = cost_of(accesses, Space::global);
  found.shared = cost_of(accesses, Space::shared);
  found.waves = m.launches.waves();
  return found;
}

void print_work(std::ostream& out, const Experiments& found) {
  if (found.at_twice == 0) return;
  out << "    work       twice as much: " << number("%.2f", found.at_twice) << " times as long";
  if (found.at_four_times > 0)
    out << "; four times: " << number("%.2f", found.at_four_times) << " times";
  out << '\n';
}

void print_team_sizes(std::ostream& out, const Experiments& found) {
  if (found.team_sizes.empty()) return;
  std::string line = "    team size ";
  for (const auto& [size, time] : found.team_sizes)
    line += ' ' + std::to_string(size) + number(": %.2f", time);
  print_wrapped(out, line + "  of the time");
}

void print_accesses(std::ostream& out, const RowResult& row, const Variant& variant) {
  for (const Access& access : accesses_of(row, variant)) {
    const RequestCost cost = cost_of(access);
    print_wrapped(out, (access.direction == Direction::load ? "    predicted  loads of "
                                                            : "    predicted  stores of ") +
                           access.what + number(": %.1f ", cost.per_request()) +
                           (access.space == Space::global ? "sectors" : "passes over the banks") +
                           number(" a request on a GPU, %.1f would do", cost.least_per_request()));
  }
}

/// The team size that saves most; null: none saves enough.
const std::pair<int, double>* better_team_size(const Experiments& found) {
  const auto best =
      std::min_element(found.team_sizes.begin(), found.team_sizes.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return best != found.team_sizes.end() && best->second <= 1 - worth_while ? &*best : nullptr;
}

Diagnosis because(Cause cause, std::string reason) { return {cause, std::move(reason), ""}; }

/// The verdict of a GPU kernel's accesses; nothing if they are fine.
std::optional<Diagnosis> judge_accesses(const Experiments& found) {
  if (found.on_host) return std::nullopt;
  if (found.global.efficiency() <= 0.5)
    return because(Cause::uncoalesced,
                   "the device is full, and " +
                       number("%.0f %%", 100 * (1 - found.global.efficiency())) +
                       " of the sectors that its warps touch are there only because neighbouring "
                       "lanes do not read or write neighbouring bytes");
  if (found.shared.efficiency() <= 0.9)
    return because(
        Cause::bank_conflicts,
        "the device is full, and lanes wait for each other at the banks of shared memory: " +
            number("%.0f %%", 100 * (1 - found.shared.efficiency())) +
            " of its passes are conflicts");
  return std::nullopt;
}

/// On a host, a GPU's neighbouring lanes are either a thread's next steps or each a thread's own
/// walk. Nothing tells which.
bool may_jump(const Experiments& found) {
  return found.on_host && found.global.efficiency() <= 0.5;
}

Diagnosis find_cause(const Experiments& found, std::string_view limiter) {
  if (found.waves && *found.waves < 1 && limiter.starts_with("latency"))
    return because(Cause::few_teams,
                   number("its grid fills %.2f of the GPU", *found.waves) + ": the rest idles");
  if (found.at_four_times > 0 && found.at_four_times < full)
    return because(Cause::few_teams,
                   number("four times the work takes %.1f times as long", found.at_four_times) +
                       ": the device is not full, and waits as long for few bytes as for many");
  if (auto judged = judge_accesses(found)) return *judged;
  if (limiter.starts_with("memory"))
    return because(Cause::none, "memory moves what was asked for and is the limit");
  if (limiter.starts_with("compute"))
    return because(Cause::none, "the operations themselves are the limit");
  return because(Cause::few_bytes,
                 std::string("time grows with the work and no limit is near: each thread waits for "
                             "memory with few bytes in flight") +
                     (may_jump(found) ? ", or uses few bytes of each line" : ""));
}

void print_diagnosis(std::ostream& out, const Options& options, const Results& results,
                     const RowResult& row, const Measurement& m, Device& device) {
  const std::string_view limits = limiter(results, row, m);
  out << problem_name(row.problem) << ", " << full_name(*m.variant) << variant_name(row, m).launch
      << ": " << limits << " (estimated)\n";
  enter_row("diagnosis of " + row_name(row.problem, row.name));
  if (const std::string fault = known_fault(*m.variant); !fault.empty()) {
    print_wrapped(out, "    verdict    none: " + fault);
    out << '\n';
    return;
  }
  const Experiments found = experiment(options, row, m, device);
  print_work(out, found);
  print_team_sizes(out, found);
  print_accesses(out, row, *m.variant);
  const Diagnosis diagnosis = diagnose(found, limits, *m.variant);
  print_wrapped(out, "    verdict    " + diagnosis.reason + "; " +
                         (diagnosis.cure.empty() ? "no rung of the ladder cures that"
                                                 : "cure: " + diagnosis.cure));
  out << '\n';
}

} // namespace

Diagnosis diagnose(const Experiments& found, std::string_view limiter, const Variant& variant) {
  const auto* better = better_team_size(found);
  Diagnosis diagnosis = find_cause(found, limiter);
  if (better != nullptr && diagnosis.cause != Cause::uncoalesced &&
      diagnosis.cause != Cause::bank_conflicts) {
    diagnosis.reason = number("another team size takes %.2f of the time", better->second) +
                       ": more of its warps, or fewer that wait for each other, hide the waiting";
    diagnosis.cure = "--team-size " + std::to_string(better->first);
    return diagnosis;
  }
  diagnosis.cure = cure_for(diagnosis.cause, variant.algorithm, variant.name);
  if (diagnosis.cause == Cause::few_bytes && may_jump(found)) {
    const std::string other = cure_for(Cause::uncoalesced, variant.algorithm, variant.name);
    if (!other.empty() && other != diagnosis.cure)
      diagnosis.cure += (diagnosis.cure.empty() ? "" : " or ") + other;
  }
  return diagnosis;
}

void print_diagnoses(std::ostream& out, const Options& options, const Results& results,
                     Device& device) {
  bool any = false, streams = false;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native}) {
      // Most of its time is outside the kernels, which the experiments are about.
      const bool stream = row.problem.algorithm->host_arrays || row.streamed;
      streams = streams || stream;
      if (stream) continue;
      if (m->seconds.empty() || stands_in(m->variant, row.portable.variant)) continue;
      if (!options.diagnose_all && !limiter(results, row, *m).starts_with("latency")) continue;
      if (!any) out << "diagnosis\n";
      any = true;
      print_diagnosis(out, options, results, row, *m, device);
    }
  if (streams) out << "diagnosis: --stages shows which stage limits a stream\n";
  if (!any && !streams)
    out << "diagnosis: no variant is limited by latency; --diagnose-all looks at each\n";
}

} // namespace ado::bench
