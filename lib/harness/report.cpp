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

std::string size_or_unknown(std::size_t bytes) {
  return bytes == 0 ? "unknown" : bytes_text(static_cast<double>(bytes));
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
      << (c.has_link() ? number("; link in %.1f, ", c.link_in / 1e9) +
                             number("out %.1f GB/s", c.link_out / 1e9)
                       : "")
      << (c.has_scattered()
              ? number("; scattered: 64 bytes read at %.0f, ", c.scattered_read / 1e9) +
                    number("32 updated at %.0f GB/s", c.scattered_update / 1e9)
              : "")
      << number("; empty kernel %.1f us", c.launch * 1e6)
      << (c.host_launch == c.launch ? "" : number(", launched in %.1f us", c.host_launch * 1e6))
      << (c.kept_in.empty() ? "" : "\n         measured " + c.measured + ", kept in " + c.kept_in)
      << "\n";
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

void print_list(std::ostream& out, const Options& options, const Device& device) {
  bool any = false;
  for (const Algorithm& algorithm : algorithms()) {
    const std::vector<const Variant*> chosen = selected_variants(options, algorithm, device);
    const auto& names = options.algorithms;
    const bool asked =
        names.empty() || std::find(names.begin(), names.end(), algorithm.name) != names.end();
    if (!asked || chosen.empty()) continue;
    any = true;
    out << algorithm.name << ": " << algorithm.formula << '\n';
    TextTable table({{"  variant"}, {"model"}, {"backend"}, {"what it is"}});
    for (const Variant* v : chosen)
      table.add({"  " + std::string(v->name), std::string(name_of(v->model)),
                 std::string(v->backend), std::string(v->summary)});
    table.print(out);
    out << '\n';
  }
  if (!any) out << "nothing is selected; --list alone shows all\n\n";
  out << "backends";
  for (const std::string& name : backend_names())
    out << ' ' << name;
  out << '\n';
  print_machine(out, device);
}

} // namespace ado
