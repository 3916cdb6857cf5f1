// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/profile/diagnose.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/run/journal_row.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace ado::bench {
namespace {

/// On a full device, four times the work takes at least this many times as long.
constexpr double full = 2.5;
/// A team size counts if it saves this share of the time.
constexpr double worth_while = 0.1;
/// If two runs of the same work differ by more than this factor, times say nothing.
constexpr double noisy = 1.25;
/// A kernel waits for memory if a cache cuts its time to this share or less.
constexpr double helped_by_cache = 0.75;
/// If one thread takes at most this many times as long as all, the others do not help.
constexpr double helped_by_threads = 1.2;

bool is_about(double work, double usual) { return std::abs(work - usual) < 0.005 * usual; }

void print_work(std::ostream& out, const Experiments& found) {
  if (found.at_twice == 0) return;
  const auto times = [](double work, double usual, const char* word) {
    return is_about(work, usual) ? std::string(word) : number("%.3g times", work);
  };
  std::string line = "    work       " + times(found.work_twice, 2, "twice") +
                     " as much: " + number("%.2f times as long", found.at_twice);
  if (found.at_four_times > 0)
    line += "; " + times(found.work_four_times, 4, "four times") + ": " +
            number("%.2f times", found.at_four_times);
  print_wrapped(out, line);
  if (found.in_cache > 0)
    print_wrapped(out, number("    in cache   %.2f of the time per operation", found.in_cache));
  if (found.one_thread > 0)
    print_wrapped(out, "    threads    one instead of " + std::to_string(found.threads) +
                           number(": %.2f times as long", found.one_thread));
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
    const std::string in_all =
        cost.efficiency() < 1 && access.space == Space::global
            ? number("; in all %.0f", cost.cost) + number(" where %.0f would do", cost.least)
            : "";
    print_wrapped(out, (access.direction == Direction::load ? "    predicted  loads of "
                                                            : "    predicted  stores of ") +
                           access.what + number(": %.1f ", cost.per_request()) +
                           (access.space == Space::global ? "sectors" : "passes over the banks") +
                           number(" a request on a GPU, %.1f would do", cost.least_per_request()) +
                           in_all);
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

/// What holds up a kernel whose time grows with the work, if its accesses do not tell.
Diagnosis find_wait(const Experiments& found) {
  const std::string or_jumps = may_jump(found) ? ", or uses few bytes of each line" : "";
  const bool in_memory = found.in_cache > 0 && found.in_cache <= helped_by_cache;
  if (in_memory)
    return because(Cause::few_bytes,
                   "in a cache the same work takes" + number(" %.2f", found.in_cache) +
                       " of the time: each thread waits for memory with few bytes in flight" +
                       or_jumps);
  if (!found.fits_cache && found.in_cache == 0)
    return because(Cause::none, "these experiments do not tell what it waits for");
  const std::string not_memory = found.fits_cache
                                     ? "its data fit a cache, so "
                                     : "it is no faster if its data lie in a cache, so ";
  if (found.one_thread > 0 && !found.cores_are_free)
    return because(Cause::none, not_memory +
                                    "memory is not the limit; more is not known, because " +
                                    std::to_string(found.threads) +
                                    " threads share their cores with other programs");
  if (found.one_thread > 0 && found.one_thread <= helped_by_threads)
    return because(Cause::none, not_memory + "memory is not the limit; one thread is as fast as " +
                                    std::to_string(found.threads) +
                                    ": they wait for each other at atomics, locks or shared cache "
                                    "lines, or only one has work");
  return because(Cause::none, not_memory +
                                  "it waits for its own instructions, such as divisions, roots, "
                                  "dependency chains, branches" +
                                  or_jumps +
                                  (found.on_host ? "" : ", or atomics on the same addresses"));
}

Diagnosis find_cause(const Experiments& found, std::string_view limiter) {
  if (found.again > noisy)
    return because(Cause::none, "none: two runs of the same work differ by a factor of" +
                                    number(" %.1f", found.again) +
                                    ", so the machine is too busy for these experiments");
  if (found.waves && *found.waves < 1 && limiter.starts_with("latency"))
    return because(Cause::few_teams,
                   number("its grid fills %.2f of the GPU", *found.waves) + ": the rest idles");
  if (found.at_four_times > 0 && found.at_four_times < full * found.work_four_times / 4)
    return because(Cause::few_teams,
                   (is_about(found.work_four_times, 4)
                        ? std::string("four times the work takes ")
                        : number("%.3g times the work takes ", found.work_four_times)) +
                       number("%.1f times as long", found.at_four_times) +
                       ": the device is not full, and waits as long for few bytes as for many");
  if (auto judged = judge_accesses(found)) return *judged;
  if (limiter.starts_with("memory"))
    return because(Cause::none, "memory moves what was asked for and is the limit");
  if (limiter.starts_with("compute"))
    return because(Cause::none, "the operations themselves are the limit");
  return find_wait(found);
}

void print_diagnosis(std::ostream& out, const Options& options, const Results& results,
                     const RowResult& row, const Measurement& m, Device& device) {
  const std::string_view limits = limiter(results, row, m);
  print_wrapped(out, problem_name(row.problem) + ", " + full_name(*m.variant) +
                         variant_name(row, m).launch + ": " + std::string(limits) + " (estimated)");
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
  const bool may_be_cured = diagnosis.cause != Cause::none || !diagnosis.cure.empty();
  const std::string cure =
      diagnosis.cure.empty() ? "no rung of the ladder cures that" : "cure: " + diagnosis.cure;
  print_wrapped(out, "    verdict    " + diagnosis.reason + (may_be_cured ? "; " + cure : ""));
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
