// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/host_ceilings.hpp>
#include <ado/harness/number.hpp>
#include <ado/harness/plan.hpp>
#include <ado/harness/report.hpp>
#include <ado/harness/run_facts.hpp>
#include <ado/harness/text_table.hpp>
#include <ado/harness/version.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ado {
namespace {

/// "0.1234", "12.34", "1234"
std::string four_digits(double value) {
  const int digits = value >= 1000  ? 0
                     : value >= 100 ? 1
                     : value >= 10  ? 2
                     : value >= 1   ? 3
                     : value >= 0.1 ? 4
                                    : 5;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

void add_side_cells(std::vector<std::string>& cells, const Results& results, const RowResult& row,
                    const Measurement& m) {
  if (m.seconds.empty()) {
    cells.insert(cells.end(), {"-", "-"});
    return;
  }
  const double seconds = median(m.seconds);
  const char* mark = !results.max_noise ? "" : too_noisy(results, m) ? "~" : " ";
  cells.push_back(four_digits(seconds * 1e3) + mark);
  cells.push_back(four_digits(row.traffic().bytes() / seconds / 1e9));
}

/// Its name, or who wrote it where the name is the row's own: the table is wide.
std::string native_text(const RowResult& row) {
  const Variant* native = row.native.variant;
  if (native == nullptr) return "-";
  const bool same = row.portable.variant == nullptr || row.portable.variant->name == native->name;
  return std::string(same ? name_of(native->model) : native->name);
}

/// "1.029  1.021-1.037", and a ? behind the ratio where that is inconclusive.
std::string ratio_text(const std::optional<Ratio>& ratio) {
  if (!ratio) return "-";
  const char* digits = ratio->value < 2 ? "%.3f" : ratio->value < 10 ? "%.2f" : "%.1f";
  std::string text = number(digits, ratio->value);
  text += verdict_of(*ratio) == Verdict::inconclusive ? "? " : "  ";
  if (ratio->has_interval()) text += number(digits, ratio->low) + "-" + number(digits, ratio->high);
  return text;
}

/// "verified", or what went wrong on which side.
std::string verdict(const RowResult& row) {
  std::vector<std::pair<std::string, std::string>> troubles; // side, reason
  const auto note = [&](const char* side, const Measurement& m, const std::string& missing) {
    const std::string& why = m.failure.empty() ? missing : m.failure;
    if (why.empty()) return;
    if (!troubles.empty() && troubles.back().second == why)
      troubles.back().first += std::string(" and ") + side;
    else
      troubles.emplace_back(side, why);
  };
  note("portable", row.portable, "");
  note("native", row.native, row.no_native);
  note("reference", row.reference, row.no_reference);
  std::string text = row.subject().seconds.empty() ? "" : "verified";
  if (!text.empty() && !row.portable.failure.empty()) text = "native verified";
  if (!text.empty() && !row.native.failure.empty()) text = "portable verified";
  if (!text.empty() && row.subject().unverified) text = "not verified";
  for (const auto& [side, why] : troubles)
    text += (text.empty() ? "" : "; ") + side + ": " + why;
  return text;
}

std::string size_or_unknown(std::size_t bytes) {
  return bytes == 0 ? "unknown" : bytes_text(static_cast<double>(bytes));
}

/// With the columns of a reference the table would be too wide for these; the records have them.
bool shows_limiter(const Results& results) { return results.reference.empty(); }
bool shows_transfers(const Results& results) {
  return results.reference.empty() && !results.device->on_host;
}

/// What the table's columns mean, in their order.
void print_legend(std::ostream& out, const Results& results) {
  out << "A row: a portable variant (Kokkos, " << results.device->description
      << ") and the native one, hand-written,\n"
         "run in turn on the same data; or one of them alone.\n"
         "  ms               median of the timed runs"
      << (results.cold_cache ? ", each with cold caches" : "")
      << (results.max_noise ? "; ~ their quartiles are further apart than --max-noise" : "")
      << "\n"
         "  GB/s             all inputs and outputs, moved once each, over ms; 1 GB = 1e9 bytes\n"
         "  native variant   its name, or who wrote it where the name is the row's\n"
         "  portable/native  time over time, run by run, and its 95 % interval, which takes nine\n"
         "                   runs; below 1 the portable one is faster; ? undecided: neither "
         "within\n"
         "                   1 % nor surely off 1\n"
         "  of ceiling       least time that the ceilings above allow, over ms of the portable\n"
         "                   one, else the native; ! is beyond them: the cache helped, or the\n"
         "                   machine was disturbed while they were measured\n";
  if (shows_limiter(results))
    out << "  limiter          estimated: memory or compute from 60 % of its ceiling on, balanced\n"
           "                   where both are near, latency where neither is\n";
  if (shows_transfers(results))
    out << "  total ms         one run with the copies from and to host memory\n";
  if (!results.reference.empty())
    out << "  speedup          time of " << results.reference << " over ms\n"
        << "  max diff         largest difference of an element from the one that "
        << results.reference << " gives\n";
  out << "  verdict          verified: each element within its error bound, inputs unchanged;\n"
         "                   what is wrong or could not run shows no time\n";
}

std::string with_wrong_rows_red(const std::string& table) {
  std::istringstream lines(table);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    text += line.find("WRONG") == std::string::npos ? line + "\n" : "\033[31m" + line + "\033[m\n";
  return text;
}

void print_count(std::ostream& out, const Results& results) {
  std::size_t all = 0, verified = 0;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native})
      if (m->variant != nullptr && !m->skipped) {
        ++all;
        if (m->verified()) ++verified;
      }
  out << verified << " of " << all << " results verified";
  out << (results.skip_verification ? "; " + std::string(not_verified) + "\n" : "\n");
}

/// How much of it stays open, and what would help.
void print_undecided(std::ostream& out, const Results& results) {
  std::size_t ratios = 0, undecided = 0, noisy = 0;
  for (const RowResult& row : results.rows) {
    const auto ratio = portable_over_native(row);
    ratios += ratio ? 1 : 0;
    undecided += ratio && verdict_of(*ratio) == Verdict::inconclusive ? 1 : 0;
    for (const Measurement* m : {&row.portable, &row.native})
      noisy += too_noisy(results, *m) ? 1 : 0;
  }
  if (undecided > 0) out << undecided << " of " << ratios << " ratios undecided (?)\n";
  if (noisy > 0) out << noisy << " results noisier than --max-noise (~)\n";
  if (undecided + noisy > 0)
    out << "to decide more: a longer --timeout or more --reps, a quieter machine, bound threads\n";
}

/// Why the launches of this run are not known; empty where they are.
std::string no_launches_because(const Results& results) {
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native})
      if (!m->launches.unknown_because.empty()) return m->launches.unknown_because;
  return "";
}

/// "name value, name value", in lines of at most 100 columns.
void print_facts(std::ostream& out, const Device& device) {
  constexpr std::size_t indent = 9, columns = 100;
  std::string line;
  for (const auto& [name, value] : device.facts) {
    const std::string fact = name + " " + value;
    if (!line.empty() && indent + line.size() + 2 + fact.size() > columns) {
      out << std::string(indent, ' ') << line << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + fact;
  }
  if (!line.empty()) out << std::string(indent, ' ') << line << '\n';
}

} // namespace

std::string problem_name(const Problem& problem) {
  std::string text =
      std::string(problem.algorithm->name) + " " + std::string(name_of(problem.type));
  for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
    text += (k == 0 ? ": " : " x ") + std::string(problem.algorithm->sizes[k].name) + " " +
            std::to_string(problem.shape[k]);
  return text;
}

std::string problem_text(const Problem& problem, const Results& results) {
  std::string text = problem_name(problem) + ", " + bytes_text(working_set(problem));
  if (!results.cold_cache && may_stay_in_cache(problem, *results.device))
    text += " (less than four times the last-level cache, which may serve it)";
  return text;
}

void print_machine(std::ostream& out, const Device& device) {
  out << version_text() << ", " << build_compiler() << " " << build_flags() << '\n'
      << "CPU      " << cpu_name() << ", last-level cache "
      << size_or_unknown(host_last_level_cache()) << '\n'
      << "device   " << device.description << ", "
      << bytes_text(static_cast<double>(device.memory_bytes)) << " free\n";
  print_facts(out, device);
  if (device.on_host && std::getenv("OMP_PROC_BIND") == nullptr)
    out << "         threads are not bound to cores: set OMP_PROC_BIND=spread OMP_PLACES=threads\n";
}

void print_ceilings(std::ostream& out, const Ceilings& c) {
  out << "ceilings " << number("read %.1f, ", c.read / 1e9) << number("write %.1f, ", c.write / 1e9)
      << number("copy %.1f GB/s", c.copy / 1e9) << number("; f32 %.0f, ", c.flops_f32 / 1e9)
      << number("f64 %.0f GFLOP/s", c.flops_f64 / 1e9)
      << number("; empty kernel %.1f us", c.launch * 1e6)
      << (c.host_launch == c.launch ? "" : number(", launched in %.1f us", c.host_launch * 1e6))
      << "\n";
}

std::vector<TextTable::Column> table_columns(const Results& results) {
  std::vector<TextTable::Column> columns{{"variant"},
                                         {"portable\nms", true},
                                         {"\nGB/s", true},
                                         {"native\nms", true},
                                         {"\nGB/s", true},
                                         {"native\nvariant"},
                                         {"portable/native,\n95 % interval"},
                                         {"of\nceiling", true}};
  if (shows_limiter(results)) columns.push_back({"limiter"});
  if (shows_transfers(results)) columns.push_back({"total\nms", true});
  if (!results.reference.empty()) {
    columns.push_back({"speedup", true});
    columns.push_back({"max diff", true});
  }
  columns.push_back({"verdict"});
  return columns;
}

std::vector<std::string> table_cells(const Results& results, const RowResult& row) {
  std::vector<std::string> cells{row.name};
  add_side_cells(cells, results, row, row.portable);
  add_side_cells(cells, results, row, row.native);
  cells.push_back(native_text(row));
  cells.push_back(ratio_text(portable_over_native(row)));
  const Measurement& subject = row.subject();
  if (subject.seconds.empty()) {
    cells.emplace_back("-");
    if (shows_limiter(results)) cells.emplace_back("-");
  } else {
    const double share = share_of_ceiling(results, row, subject);
    cells.push_back(number("%.2f", share) + (share > 1 ? "!" : " "));
    const std::string_view text = limiter(results, row, subject);
    if (shows_limiter(results))
      cells.emplace_back(text.substr(0, text.find(','))); // its nearness to the roof is the share
  }
  if (shows_transfers(results))
    cells.push_back(subject.with_transfers > 0 ? four_digits(subject.with_transfers * 1e3) : "-");
  if (!results.reference.empty()) {
    const double faster = speedup(row, subject);
    cells.push_back(faster > 0 ? number("%.2f", faster) : "-");
    cells.push_back(faster > 0 ? number("%.2g", subject.max_difference) : "-");
  }
  cells.push_back(verdict(row));
  return cells;
}

bool takes_colour(int stream) {
  const char* no_color = std::getenv("NO_COLOR"); // https://no-color.org
  return isatty(stream) != 0 && (no_color == nullptr || *no_color == '\0');
}

void print_table(std::ostream& out, const Results& results, bool in_colour) {
  TextTable table(table_columns(results));
  for (const std::string& warning : warnings(results))
    out << warning << "\n\n";
  std::string group;
  for (const RowResult& row : results.rows) {
    const std::string problem = problem_text(row.problem, results);
    if (problem != group) {
      if (!group.empty()) table.add_gap();
      table.add_title(problem);
    }
    group = problem;
    table.add(table_cells(results, row));
  }
  std::ostringstream text;
  table.print(text);
  out << (in_colour ? with_wrong_rows_red(text.str()) : text.str()) << '\n';
  print_legend(out, results);
  out << '\n';
  print_count(out, results);
  print_undecided(out, results);
  if (const std::string why = no_launches_because(results); !why.empty())
    out << "no launch facts: " << why << '\n';
}

void print_list(std::ostream& out, const Device& device) {
  for (const Algorithm& algorithm : algorithms()) {
    out << algorithm.name << ": " << algorithm.formula << '\n';
    TextTable table({{"  variant"}, {"model"}, {"backend"}, {"what it is"}});
    for (const Variant& v : variants())
      if (v.algorithm == algorithm.name)
        table.add({"  " + std::string(v.name), std::string(name_of(v.model)),
                   std::string(v.backend), std::string(v.summary)});
    table.print(out);
    out << '\n';
  }
  out << "backends";
  for (const std::string& name : backend_names())
    out << ' ' << name;
  out << '\n';
  print_machine(out, device);
}

} // namespace ado
