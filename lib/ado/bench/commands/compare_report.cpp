// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_report.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/stats/statistics.hpp>

#include <ostream>
#include <utility>

namespace ado {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

void print_run(std::ostream& out, const char* name, const RunRecord& run) {
  out << name << "  " << run.path << ", " << run.date;
  for (const Facts* facts : {&run.machine, &run.build})
    for (const auto& [fact, value] : *facts)
      out << ", " << value;
  out << '\n';
}

void print_differences(std::ostream& out, const char* what, const Facts& a, const Facts& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].second != b[k].second)
      out << what << " differ: " << a[k].first << " is '" << a[k].second << "' in A and '"
          << b[k].second << "' in B\n";
}

std::vector<std::string> cells(const ComparedCase& one) {
  const Ratio& e = one.estimate;
  return {one.a->name,
          number("%.5g", median(one.a->seconds) * 1e3),
          number("%.5g", median(one.b->seconds) * 1e3),
          number("%.4f", e.value),
          e.has_interval() ? number("%.4f", e.low) + number(" to %.4f", e.high) : "too few runs",
          std::string(name_of(one.verdict))};
}

} // namespace

std::vector<TextTable::Column> compare_columns(const CompareRule& rule) {
  const char* of = rule.several ? "median of the medians of the runs" : "median of the run";
  return {{"case", false, "algorithm, variant, sizes and type, as in the record"},
          {"A ms", true, of},
          {"B ms", true, of},
          {"B/A", true,
           "median of the ratios of all times in B to all in A (Hodges and Lehmann); "
           "above 1 B takes longer"},
          {"95 % interval", false,
           rule.several
               ? "of B/A, the one that belongs to the Mann-Whitney test; four runs on each "
                 "side are the least for one"
               : "of B/A, the one that belongs to the Mann-Whitney test, wider where times "
                 "may depend on each other; it knows the noise within each run alone"},
          {"verdict", false,
           "slower, faster: the interval leaves out 1, and B/A is off by " +
               number("%g", 100 * rule.least) +
               " % or more; same: the interval is within that; inconclusive: neither" +
               (rule.several ? ""
                             : ". Two processes differ by some per cent without a reason: --with "
                               "compares several")}};
}

void print_comparison(std::ostream& out, const RunRecord& a, const RunRecord& b,
                      const Comparison& comparison, const CompareRule& rule) {
  print_run(out, "A", a);
  print_run(out, "B", b);
  print_differences(out, "MACHINES", a.machine, b.machine);
  print_differences(out, "builds", a.build, b.build);
  for (const auto& [name, run] : {std::pair("A", &a), std::pair("B", &b)})
    for (const std::string& warning : run->warnings)
      out << name << ": " << warning << '\n';
  if (!comparison.other_conditions.empty())
    out << "TIMES HOLD DIFFERENT THINGS: " << comparison.other_conditions << '\n';
  for (const auto& [name, run] : {std::pair("A", &a), std::pair("B", &b)})
    if (!run->unverified.empty())
      out << "NOT VERIFIED: " << name << ", " << run->unverified << '\n';
  out << '\n';
  const std::vector<TextTable::Column> columns = compare_columns(rule);
  TextTable table(columns);
  for (const ComparedCase& one : comparison.cases)
    table.add(cells(one));
  table.print(out);
  if (!comparison.not_compared.empty()) out << "\nnot compared:\n";
  for (const NotCompared& one : comparison.not_compared)
    out << "  " << one.name << ": " << one.why << '\n';
  out << '\n';
  for (const TextTable::Column& column : columns)
    print_meaning(out, column.title, column.meaning);
  out << '\n';
  for (const Verdict verdict :
       {Verdict::slower, Verdict::faster, Verdict::same, Verdict::inconclusive})
    out << comparison.count(verdict) << ' ' << name_of(verdict) << ", ";
  out << comparison.not_compared.size() << " not compared\n";
  if (comparison.wrong > 0)
    out << comparison.wrong << (comparison.wrong == 1 ? " result" : " results") << " of B WRONG\n";
}

} // namespace ado
