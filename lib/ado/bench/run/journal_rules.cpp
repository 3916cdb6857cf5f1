// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/ranks/ranks.hpp>
#include <ado/bench/run/case_benches.hpp>
#include <ado/bench/run/journal_rules.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/bench/stream/slices.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ado::bench {
namespace {

struct Plan {
  const std::vector<Case>& cases;
  const Options& options;
  const Device &device, &reference_device;
};

/// One side of a row, and what it must agree with.
struct Side {
  const Measurement& m;
  const FinishedRow& row;
  const Case& of;
  const Plan& plan;

  bool is_reference() const { return &m == &row.reference; }
  bool timed() const { return m.failure.empty(); }
  const StopRule& stop() const { return plan.options.stop; }
  bool skip() const { return stop().skip_verification; }
  bool on_host() const { return (is_reference() ? plan.reference_device : plan.device).on_host; }
  const Problem& problem() const { return of.problem; }
  bool by_host() const { return problem().algorithm->host_arrays || row.streamed; }
  std::size_t largest_input() const {
    const auto specs = problem().algorithm->arrays(problem().shape);
    const auto largest = ado::bench::largest_input(specs);
    return largest ? element_count(specs[*largest]) : 0;
  }
  /// Why the plan skips it; empty: it does not.
  std::string why_skipped() const { return ado::bench::why_skipped(problem(), *m.variant); }
};

/// Seconds or a rate that a machine can reach; NaN is none.
bool is_measured(double value) { return value >= 0 && value < 1e30; }
bool is_time(double seconds) { return seconds > 1e-15 && seconds < 1e12; }

template <class List, class Holds>
bool all_of(const List& list, const Holds& holds) {
  return std::all_of(list.begin(), list.end(), holds);
}

bool is_state(const DeviceState& s, bool on_host) {
  const auto numbers = {s.clock_mhz, s.memory_clock_mhz, s.watts, s.celsius};
  if (s.known) return !on_host && all_of(numbers, is_measured);
  return s.throttled.empty() && all_of(numbers, [](double value) { return value == 0; });
}
bool is_launch(const LaunchFacts& l) {
  const auto positive = [](int value) { return value > 0; };
  return all_of(l.grid, positive) && all_of(l.block, positive) &&
         l.resident_warps <= l.maximum_warps && is_measured(l.waves);
}
bool is_span(const StageSpan& s) {
  return is_measured(s.begin) && is_measured(s.end) && s.begin <= s.end;
}
bool is_stop(std::string_view word) {
  constexpr std::string_view words[] = {"reps",    "min_time", "noise",
                                        "decided", "timeout",  "most_reps"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
/// A process reports this about itself; with several ranks it may be another one's words.
bool alone() { return !ranks().several(); }
bool says_wrong(const Side& s) { return s.m.failure.rfind("WRONG", 0) == 0; }
bool both_verified(const Side& s) { return s.m.verified() && s.row.reference.verified(); }
bool as_often_as(const Side& s, const Measurement& twin) {
  return s.is_reference() || twin.seconds.empty() || s.m.seconds.empty() ||
         twin.seconds.size() == s.m.seconds.size();
}

/// What must hold for each side, and the message if it does not. Later rules rely on the first.
struct Rule {
  std::string_view field, broken;
  bool (*holds)(const Side&);
};
constexpr Rule rules[] = {
    {"ran", "is false, and no failure says why",
     [](const Side& s) { return s.m.ran || !s.timed(); }},
    {"failure", "says WRONG of what did not run, or does not say it of what did",
     [](const Side& s) { return s.timed() || !alone() || says_wrong(s) == s.m.ran; }},
    {"seconds", "are there and a failure too, or neither is",
     [](const Side& s) { return s.timed() != s.m.seconds.empty(); }},
    {"seconds", "are not all above 0, or no machine lives so long",
     [](const Side& s) { return all_of(s.m.seconds, is_time); }},
    {"seconds", "are not as many as those of its twin, which ran in turn with it",
     [](const Side& s) { return as_often_as(s, s.row.portable) && as_often_as(s, s.row.native); }},
    {"seconds", "are not as many as --reps asks for",
     [](const Side& s) {
       if (!s.timed() || !s.stop().reps || s.stop().timeout) return true;
       return s.m.seconds.size() == std::max<std::size_t>(*s.stop().reps, 1);
     }},
    {"host_seconds", "are not as many as seconds",
     [](const Side& s) { return s.m.host_seconds.size() == s.m.seconds.size(); }},
    {"host_seconds", "are below 0, or no machine lives so long",
     [](const Side& s) { return all_of(s.m.host_seconds, is_measured); }},
    {"rank_seconds", "are not one of each rank, where several measure",
     [](const Side& s) {
       const std::size_t wanted =
           s.timed() && !alone() ? static_cast<std::size_t>(ranks().size()) : 0;
       return s.m.rank_seconds.size() == wanted && all_of(s.m.rank_seconds, is_measured);
     }},
    {"batch", "is not between 1 and 1000, or not 1 with cold caches",
     [](const Side& s) { return s.m.batch >= 1 && s.m.batch <= (s.stop().cold_cache ? 1 : 1000); }},
    {"stopped_by", "is no rule that ends timed runs, or there are none",
     [](const Side& s) {
       return s.timed() ? is_stop(s.m.stopped_by)
                        : s.m.stopped_by.empty() || is_stop(s.m.stopped_by);
     }},
    {"skipped", "is not what the plan says of this type and shape",
     [](const Side& s) {
       return s.m.skipped == (!s.timed() && s.m.failure == s.why_skipped()) &&
              (!s.timed() || s.why_skipped().empty());
     }},
    {"skipped", "is true of what ran, refused its arguments, or is not verified",
     [](const Side& s) {
       return !s.m.skipped || (!s.m.ran && !s.m.refused && s.m.unverified.empty());
     }},
    {"crashed", "does not agree with the failure",
     [](const Side& s) {
       const std::string& why = s.m.failure;
       return s.m.crashed == (why.rfind("crashed: ", 0) == 0 ||
                              why.find(" did not end within ") != std::string::npos);
     }},
    {"refused", "is true of what ran", [](const Side& s) { return !s.m.refused || !s.m.ran; }},
    {"unverified", "does not begin with: not verified",
     [](const Side& s) {
       return s.m.unverified.empty() || s.m.unverified.rfind("not verified", 0) == 0;
     }},
    {"unverified", "does not agree with --skip-verification",
     [](const Side& s) {
       return s.skip() ? !s.timed() || s.m.unverified == not_verified
                       : s.m.unverified != not_verified;
     }},
    {"unverified", "contradicts check.unlikely, witnessed or the times",
     [](const Side& s) {
       if (!s.timed() || s.skip()) return true;
       const bool unseen = s.m.witnessed == 0 && s.largest_input() > 0;
       const bool doubted = !s.m.check.unlikely.empty() || unseen || s.m.distinct_outputs > 1 ||
                            s.m.unverified.starts_with(faster_than_memory);
       return s.m.unverified.empty() ? s.m.check.unlikely.empty() && (!unseen || !alone())
                                     : doubted || !alone();
     }},
    {"check.ok", "does not agree with check.wrong and check.first_wrong",
     [](const Side& s) {
       return s.m.check.ok == s.m.check.first_wrong.empty() &&
              (!s.m.check.ok || s.m.check.wrong == 0);
     }},
    {"check.ok", "is false, and no failure says so",
     [](const Side& s) { return s.m.check.ok || !s.timed(); }},
    {"check.worst_bound_share", "is no share of an error bound that a right result has",
     [](const Side& s) {
       return s.timed() ? s.m.check.worst_bound_share >= 0 && s.m.check.worst_bound_share <= 1
                        : !(s.m.check.worst_bound_share < 0);
     }},
    {"check.max_error", "is below 0, or not finite in a right result",
     [](const Side& s) {
       return s.timed() ? s.m.check.max_error >= 0 && std::isfinite(s.m.check.max_error)
                        : !(s.m.check.max_error < 0);
     }},
    {"witnessed", "are more elements than the largest input has, or nobody looked",
     [](const Side& s) {
       return s.skip() ? s.m.witnessed == 0 : !alone() || s.m.witnessed <= s.largest_input();
     }},
    {"distinct_outputs", "are none, or more than there were runs, of what was verified",
     [](const Side& s) {
       if (!s.timed()) return true;
       const std::size_t most = s.m.seconds.size() + s.m.batch + 2;
       return s.skip() ? s.m.distinct_outputs == 0
                       : s.m.distinct_outputs >= 1 && s.m.distinct_outputs <= most;
     }},
    {"with_transfers", "is no time, or a host has it",
     [](const Side& s) {
       return is_measured(s.m.with_transfers) && (!s.on_host() || s.m.with_transfers == 0);
     }},
    {"max_difference", "is below 0, or there is no verified reference to differ from",
     [](const Side& s) {
       return s.is_reference() || !both_verified(s) ? s.m.max_difference == 0
                                                    : !(s.m.max_difference < 0);
     }},
    {"before", "is no state of a GPU",
     [](const Side& s) { return is_state(s.m.before, s.on_host()); }},
    {"after", "is no state of a GPU",
     [](const Side& s) { return is_state(s.m.after, s.on_host()); }},
    {"launches", "are none of a GPU, or are unknown and there",
     [](const Side& s) {
       const Launches& l = s.m.launches;
       return all_of(l.kernels, is_launch) && (l.kernels.empty() || l.unknown_because.empty()) &&
              (!s.on_host() || (l.kernels.empty() && l.unknown_because.empty()));
     }},
    {"stages", "are none of a run, or are unknown and there",
     [](const Side& s) {
       const StageTimes& t = s.m.stages;
       const bool none = t.spans.empty();
       return all_of(t.spans, is_span) && is_measured(t.elapsed) && is_measured(t.clocks_differ) &&
              (none || (t.elapsed > 0 && s.by_host() && t.unknown_because.empty())) &&
              (s.by_host() || t.unknown_because.empty());
     }},
};

std::string of_side(const std::string& name, const Side& side) {
  if (side.m.variant == nullptr) return "";
  for (const Rule& rule : rules)
    if (!rule.holds(side))
      return name + "." + std::string(rule.field) + " " + std::string(rule.broken);
  return "";
}

/// Without an option, a GPU's free memory decides, and that may have differed then.
bool streamed_otherwise(const FinishedRow& row, const Problem& problem, const Device& device,
                        bool ran) {
  if (device.on_host || device.memory_cap)
    return row.streamed.has_value() != is_streamed(problem, device) && (row.streamed || ran);
  return row.streamed && (!problem.algorithm->slicing || problem.row_padding > 0);
}

bool is_stream(const StreamFacts& s, bool reads_files) {
  return s.slices > 0 && s.slice_bytes > 0 && s.period > 0 && s.period <= s.slices &&
         s.reads_files == reads_files;
}

/// What the plan says of the row as a whole.
std::string of_row(const FinishedRow& found, const Row& row, const Case& c, const Plan& plan) {
  const bool ran = found.portable.ran || found.native.ran;
  const Variant* reference = reference_variant(c, plan.options, plan.reference_device);
  const bool lacks_reference = plan.options.reference && reference == nullptr;
  const std::string why_none = lacks_reference ? no_such_variant(c) : "";
  if (found.portable.variant != row.portable) return "portable.variant is not the plan's";
  if (found.native.variant != row.native) return "native.variant is not the plan's";
  if (found.reference.variant != reference && (found.reference.variant != nullptr || ran))
    return "reference.variant is not the plan's";
  if (found.no_reference != why_none && (!found.no_reference.empty() || ran))
    return "no_reference is not what the plan says";
  if (streamed_otherwise(found, c.problem, plan.device, ran))
    return "streamed is not what the plan says";
  if (found.streamed && !is_stream(*found.streamed, !c.files.path.empty()))
    return "streamed has no slices, repeats data after none, or reads other files than the plan";
  return "";
}

/// What is wrong with a row; empty: nothing.
std::string wrong_with(const FinishedRow& found, const Row& row, const Case& c, const Plan& plan) {
  if (const std::string name = row_name(c.problem, row.name); found.name != name)
    return "has " + found.name + " where the plan has " + name;
  std::string wrong = of_row(found, row, c, plan);
  for (const auto& [name, m] :
       {std::pair("portable", &found.portable), std::pair("native", &found.native),
        std::pair("reference", &found.reference)})
    if (wrong.empty()) wrong = of_side(name, {*m, found, c, plan});
  return wrong.empty() ? "" : "row " + found.name + ": " + wrong;
}

std::string wrong_with(const Ceilings& ceilings) {
  for (const CeilingField& field : ceiling_fields)
    if (const double value = ceilings.*field.value;
        !is_measured(value) || (value == 0 && !field.may_lack))
      return "ceilings." + std::string(field.name) + " is not above 0, or no machine reaches it";
  return "";
}

std::string wrong_with(const Journal& journal, const Plan& plan) {
  std::string wrong = journal.ceilings() ? wrong_with(*journal.ceilings()) : "";
  const std::vector<FinishedRow>& found = journal.rows();
  std::size_t next = 0;
  for (const Case& c : plan.cases)
    for (const Row& row : c.rows)
      if (wrong.empty() && next < found.size()) wrong = wrong_with(found[next++], row, c, plan);
  if (wrong.empty() && next < found.size())
    wrong = "has " + counted(found.size(), "row") + " where the plan has " + std::to_string(next);
  if (wrong.empty() && journal.changed_line() > 0)
    wrong = "line " + std::to_string(journal.changed_line()) +
            " is not as it was written: its checksum is wrong";
  return wrong;
}

} // namespace

void check_journal(const Journal& journal, const std::vector<Case>& cases, const Options& options,
                   const Device& device, const Device& reference_device) {
  const std::string wrong = wrong_with(journal, {cases, options, device, reference_device});
  if (!wrong.empty())
    throw InputError(journal.path() + ": " + wrong + "; to begin anew, delete the file");
}

} // namespace ado::bench
