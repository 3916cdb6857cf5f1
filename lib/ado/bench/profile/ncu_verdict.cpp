// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/kernel_name.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/profile/ncu_roofline.hpp>
#include <ado/bench/profile/ncu_verdict.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>

namespace ado::bench {
namespace {

// Percentages of the peak, over elapsed time.
constexpr const char* compute_busy = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* memory_busy =
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::initializer_list<const char*> dram_busy{
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr const char* l2_busy = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* l1_busy = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* shared_busy =
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed";
constexpr const char* waves = "launch__waves_per_multiprocessor";
constexpr const char* issue = "smsp__issue_active.avg.per_cycle_active";
constexpr const char* eligible = "smsp__warps_eligible.avg.per_cycle_active";
constexpr const char* occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* possible_occupancy = "sm__maximum_warps_per_active_cycle_pct";

/// a / b if both are there and b is not 0.
std::optional<double> share(const NcuKernel& k, const char* a, const char* b) {
  const auto part = k.metric(a), all = k.metric(b);
  if (!part || !all || *all == 0) return std::nullopt;
  return *part / *all;
}

/// The share of global memory sectors that contiguous accesses would not touch.
std::optional<double> excessive_sectors(const NcuKernel& k) {
  return share(k, "derived__memory_l2_theoretical_sectors_global_excessive",
               "memory_l2_theoretical_sectors_global");
}
/// The same for passes over the banks of shared memory.
std::optional<double> excessive_passes(const NcuKernel& k) {
  if (const auto counted =
          share(k, "derived__memory_l1_wavefronts_shared_excessive", "memory_l1_wavefronts_shared"))
    return counted;
  return share(k, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
               "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
}
std::optional<double> sectors_a_request(const NcuKernel& k, const std::string& direction) {
  const std::string end = "_pipe_lsu_mem_global_op_" + direction;
  if (const auto ratio = k.metric("l1tex__average_t_sectors_per_request" + end + ".ratio"))
    return ratio;
  return share(k, ("l1tex__t_sectors" + end + ".sum").c_str(),
               ("l1tex__t_requests" + end + ".sum").c_str());
}

struct Named {
  std::string name;
  double value = 0;
};

/// The metrics prefix<name>suffix, the largest first.
std::vector<Named> largest(const NcuKernel& k, std::string_view prefix, std::string_view suffix) {
  std::vector<Named> all;
  for (const auto& [metric, value] : k.metrics)
    if (metric.starts_with(prefix) && metric.ends_with(suffix) &&
        metric.size() > prefix.size() + suffix.size())
      all.push_back(
          {metric.substr(prefix.size(), metric.size() - prefix.size() - suffix.size()), value});
  std::sort(all.begin(), all.end(),
            [](const Named& a, const Named& b) { return a.value > b.value; });
  return all;
}

/// Why warps could not issue: cycles of each instruction's latency.
std::vector<Named> stalls(const NcuKernel& k) {
  auto all = largest(k, "smsp__average_warps_issue_stalled_", "_per_issue_active.ratio");
  std::erase_if(all, [](const Named& why) { // these did not wait
    return why.name == "selected" || why.name == "not_selected";
  });
  return all;
}

std::vector<Named> pipes(const NcuKernel& k) {
  return largest(k, "sm__inst_executed_pipe_", ".avg.pct_of_peak_sustained_active");
}

std::string lower_case_without_underscores(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c != '_') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Whether the algorithm is among those asked for; none: all are.
bool may_be_of(std::string_view algorithm, const std::vector<std::string>& of) {
  return of.empty() || std::find(of.begin(), of.end(), algorithm) != of.end();
}

/// A kernel's algorithm and rung. Portable functors and some native kernels begin with the
/// algorithm, others have the name of a rung. Empty if several algorithms have it.
std::pair<std::string_view, std::string_view> rung_of(const NcuKernel& kernel,
                                                      const std::vector<std::string>& of) {
  std::string name = readable_demangled_name(kernel.name);
  name = lower_case_without_underscores(name.substr(0, name.find('<')));
  std::string_view algorithm, rung;
  for (const Algorithm& a : algorithms()) // take the longest name: average_mv is not average
    if (name.starts_with(lower_case_without_underscores(a.name)) &&
        a.name.size() > algorithm.size())
      algorithm = a.name;
  std::set<std::string_view> owners;
  const std::string rest = name.substr(lower_case_without_underscores(algorithm).size());
  for (const Variant& v : variants())
    if ((algorithm.empty() ? may_be_of(v.algorithm, of) : v.algorithm == algorithm) &&
        lower_case_without_underscores(v.name) == rest) {
      rung = v.name;
      owners.insert(v.algorithm);
    }
  if (algorithm.empty() && owners.size() == 1) algorithm = *owners.begin();
  return {algorithm, algorithm.empty() ? std::string_view() : rung};
}

NcuVerdict because(Cause cause, std::string reason) { return {"", cause, std::move(reason), ""}; }

/// For a kernel with good accesses: what its warps wait for.
NcuVerdict judge_waiting(const NcuKernel& k) {
  const auto waits = stalls(k);
  const std::string why = waits.empty() ? "" : waits[0].name;
  const std::string eligible_text =
      k.metric(eligible) ? number(" (%.2f warps a cycle can go on)", *k.metric(eligible)) : "";
  if (why == "long_scoreboard" || why == "lg_throttle")
    return because(Cause::few_bytes, "warps wait for global memory most of all" + eligible_text +
                                         ": too few bytes are in flight at a time");
  if (why == "short_scoreboard" || why == "mio_throttle")
    return because(Cause::few_bytes, "warps wait for shared memory most of all" + eligible_text +
                                         ": many narrow accesses to it");
  if (why == "barrier")
    return because(Cause::none, "warps wait at barriers most of all" + eligible_text +
                                    ": the threads of a team have unequal or little work between");
  if (why.empty()) return because(Cause::none, "the file does not say what the warps wait for");
  return because(Cause::none, "warps wait most of all for " + why + eligible_text);
}

/// Whether DRAM, and no cache, is the busiest; absent if the file does not say.
std::optional<bool> dram_is_busiest(const NcuKernel& k) {
  const auto dram = k.metric(dram_busy);
  return dram ? std::optional(*dram >= *k.metric(memory_busy) - 10) : std::nullopt;
}

NcuVerdict judge_busy_memory(const NcuKernel& k, std::string_view limiter) {
  if (!dram_is_busiest(k).value_or(true))
    return because(Cause::few_bytes,
                   number("the caches are busy, memory is not (%.0f %%)", *k.metric(dram_busy)) +
                       ": many narrow accesses, or the same bytes again and again");
  if (limiter.ends_with("near the roof"))
    return because(Cause::none,
                   "memory is busy with nothing but what was asked for: only fewer bytes help");
  NcuVerdict verdict = judge_waiting(k);
  verdict.reason = "memory is the busiest part, but not at its roof: " + verdict.reason;
  return verdict;
}

/// The first of the causes that holds.
NcuVerdict find_cause(const NcuKernel& k, std::string_view limiter) {
  if (limiter == "latency, small grid")
    return because(Cause::few_teams, "the grid " + k.grid +
                                         number(" fills %.2f of the GPU", *k.metric(waves)) +
                                         ": the rest idles");
  if (const auto excess = excessive_sectors(k); excess && *excess >= 0.5)
    return because(Cause::uncoalesced,
                   number("%.0f %%", 100 * *excess) +
                       " of the sectors that its warps touch are there only because neighbouring "
                       "lanes do not read or write neighbouring bytes");
  // Shared memory conflicts cost nothing while DRAM is at its limit.
  const bool at_roof = limiter == "memory, near the roof" && dram_is_busiest(k).value_or(false);
  if (const auto excess = excessive_passes(k); excess && *excess >= 0.1 && !at_roof)
    return because(Cause::bank_conflicts,
                   number("%.0f %%", 100 * *excess) +
                       " of the passes over shared memory are bank conflicts: lanes wait for each "
                       "other");
  if (limiter.starts_with("memory") || limiter == "balanced") return judge_busy_memory(k, limiter);
  if (limiter.starts_with("compute")) {
    const auto busy = pipes(k);
    return because(Cause::few_bytes,
                   "instructions are the limit" +
                       (busy.empty() ? std::string()
                                     : ", most of all of the pipe " + busy[0].name +
                                           number(" (%.0f %%)", busy[0].value)) +
                       ": wider accesses need fewer of them");
  }
  return judge_waiting(k);
}

/// "12.3 unit, 4.5 unit", skipping missing ones.
struct Facts {
  std::string text;
  Facts& add(const char* format, std::optional<double> value) {
    if (value) add_text(number(format, *value));
    return *this;
  }
  void add_text(const std::string& fact) { text += (text.empty() ? "" : ", ") + fact; }
};

void print_line(std::ostream& out, const char* label, const std::string& text) {
  if (!text.empty()) out << "  " << label << text << '\n';
}

void print_metrics(std::ostream& out, const NcuKernel& k) {
  const auto per_cent = [](std::optional<double> part) {
    return part ? std::optional(100 * *part) : part;
  };
  print_line(out, "busy     ",
             Facts()
                 .add("compute %.1f %%", k.metric(compute_busy))
                 .add("memory %.1f %%", k.metric(memory_busy))
                 .add("DRAM %.1f %%", k.metric(dram_busy))
                 .add("L2 %.1f %%", k.metric(l2_busy))
                 .add("L1 %.1f %%", k.metric(l1_busy))
                 .text);
  print_line(out, "global   ",
             Facts()
                 .add("%.1f sectors a request of loads", sectors_a_request(k, "ld"))
                 .add("%.1f of stores", sectors_a_request(k, "st"))
                 .add("%.1f %% excessive", per_cent(excessive_sectors(k)))
                 .add("L1 hits %.1f %%", k.metric("l1tex__t_sector_hit_rate.pct"))
                 .add("L2 hits %.1f %%", k.metric("lts__t_sector_hit_rate.pct"))
                 .text);
  print_line(out, "shared   ",
             Facts()
                 .add("%.1f %% busy", k.metric(shared_busy))
                 .add("%.1f %% of its passes are conflicts", per_cent(excessive_passes(k)))
                 .text);
  const auto issued = k.metric(issue);
  print_line(out, "warps    ",
             Facts()
                 .add("occupancy %.1f %%", k.metric(occupancy))
                 .add("of %.1f %% possible", k.metric(possible_occupancy))
                 .add("waves %.2f", k.metric(waves))
                 .add("%.2f eligible a cycle", k.metric(eligible))
                 .add("an instruction every %.1f cycles",
                      issued && *issued > 0 ? std::optional(1 / *issued) : std::nullopt)
                 .text);
  Facts waits, busy;
  for (const Named& why : stalls(k))
    if (why.value >= 1) waits.add_text(why.name + number(" %.1f", why.value));
  print_line(out, "waits    ", waits.text.empty() ? "" : waits.text + " cycles an instruction");
  for (const Named& pipe : pipes(k))
    if (pipe.value >= 5) busy.add_text(pipe.name + number(" %.0f %%", pipe.value));
  print_line(out, "pipes    ", busy.text);
  print_line(out, "roofline ", roofline_text(k));
}

} // namespace

NcuVerdict judge(const NcuKernel& kernel, const std::vector<std::string>& of) {
  const auto compute = kernel.metric(compute_busy), memory = kernel.metric(memory_busy);
  if (!compute || !memory)
    return because(Cause::none, std::string("the file lacks ") +
                                    (compute ? memory_busy : compute_busy) +
                                    "; profile with --section SpeedOfLight");
  const std::string_view limiter = limiter_by_rule(*compute, *memory, kernel.metric(waves));
  NcuVerdict verdict = find_cause(kernel, limiter);
  verdict.limiter = limiter;
  const auto [algorithm, rung] = rung_of(kernel, of);
  // A kernel that belongs to an algorithm but to no rung helps one, for example to add up partial
  // sums.
  const bool foreign = algorithm.empty();
  if (foreign || !rung.empty())
    verdict.cure = cure_for(verdict.cause,
                            foreign && of.size() == 1 ? std::string_view(of[0]) : algorithm, rung);
  return verdict;
}

void print_ncu(std::ostream& out, const std::vector<NcuKernel>& kernels,
               const std::vector<std::string>& of) {
  bool has_roofline = false;
  for (const NcuKernel& kernel : kernels) {
    const NcuVerdict verdict = judge(kernel, of);
    out << readable_demangled_name(kernel.name) << "  grid " << kernel.grid << " block "
        << kernel.block;
    if (const auto seconds = kernel.metric("gpu__time_duration.sum"))
      out << number("  %.1f us", *seconds * 1e6);
    out << '\n';
    print_line(out, "limiter  ",
               verdict.limiter.empty() ? "unknown" : std::string(verdict.limiter) + " (counted)");
    print_metrics(out, kernel);
    print_line(out, "why      ", verdict.reason);
    print_line(out, "cure     ", verdict.cure.empty() ? "no rung of the ladder" : verdict.cure);
    if (verdict.cure.find(", `") != std::string::npos)
      print_line(out, "         ",
                 "kernels of several algorithms have this name: --algorithm says which");
    out << '\n';
    has_roofline = has_roofline || !roofline_text(kernel).empty();
  }
  if (has_roofline)
    out << "roofline: a faster kernel may sit lower, where it does fewer operations or moves fewer "
           "bytes;\nthe time decides\n";
}

} // namespace ado::bench
