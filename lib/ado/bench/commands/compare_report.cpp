// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_report.hpp>
#include <ado/bench/io/markdown.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/stats/statistics.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <ostream>
#include <utility>

namespace ado::bench {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const char* name, const RunRecord& run) {
  std::string text = std::string(name) + "  " + run.path + ", " + run.date;
  for (const Facts* facts : {&run.machine, &run.build})
    for (const auto& [fact, value] : *facts)
      text += ", " + value;
  return text;
}

void add_differences(std::vector<std::string>& lines, const std::string& what, const Facts& a,
                     const Facts& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].second != b[k].second)
      lines.push_back(what + " differ: " + a[k].first + " is '" + a[k].second + "' in A and '" +
                      b[k].second + "' in B");
}

/// The lines above the table.
std::vector<std::string> head_lines(const RunRecord& a, const RunRecord& b,
                                    const Comparison& comparison) {
  std::vector<std::string> lines{text_of("A", a), text_of("B", b)};
  add_differences(lines, "MACHINES", a.machine, b.machine);
  add_differences(lines, "builds", a.build, b.build);
  const std::pair<std::string, const RunRecord*> runs[] = {{"A", &a}, {"B", &b}};
  for (const auto& [name, run] : runs)
    for (const std::string& warning : run->warnings)
      lines.push_back(name + ": " + warning);
  if (!comparison.other_conditions.empty())
    lines.push_back("TIMES HOLD DIFFERENT THINGS: " + comparison.other_conditions);
  for (const auto& [name, run] : runs)
    if (!run->unverified.empty()) lines.push_back("NOT VERIFIED: " + name + ", " + run->unverified);
  return lines;
}

constexpr Verdict verdicts[] = {Verdict::slower, Verdict::faster, Verdict::same,
                                Verdict::inconclusive};

std::string or_unknown(const std::string& launched) {
  return launched.empty() ? "unknown" : launched;
}

/// The totals below the table.
std::vector<std::string> sum_lines(const Comparison& comparison) {
  std::string counts;
  for (const Verdict verdict : verdicts)
    counts +=
        std::to_string(comparison.count(verdict)) + ' ' + std::string(name_of(verdict)) + ", ";
  std::vector<std::string> lines{counts + std::to_string(comparison.not_compared.size()) +
                                 " not compared"};
  double logs = 0, references = 0;
  for (const ComparedCase& one : comparison.cases)
    if (one.is_reference) {
      logs += std::log(one.estimate.value);
      references += 1;
    }
  if (references > 0)
    lines.push_back("native, the reference, took " + number("%.3f", std::exp(logs / references)) +
                    " times as long in B: the machine moved, or native code changed");
  if (!comparison.itself.empty()) {
    std::string of_a;
    for (const Verdict verdict : verdicts)
      of_a += (of_a.empty() ? "" : ", ") + std::to_string(comparison.itself.at(verdict)) + ' ' +
              std::string(name_of(verdict));
    lines.push_back("A with itself, every other run with those between: " + of_a);
  }
  for (const ComparedCase& one : comparison.cases)
    if (one.a->launched != one.b->launched)
      lines.push_back(one.a->name + " launches other kernels: " + or_unknown(one.a->launched) +
                      " in A, " + or_unknown(one.b->launched) + " in B");
  if (comparison.wrong > 0) lines.push_back(counted(comparison.wrong, "result") + " of B WRONG");
  return lines;
}

std::string interval_of(const Ratio& ratio) {
  if (!ratio.has_interval()) return "too few runs";
  return is_open(ratio) ? "too noisy" : number("%.4f", ratio.low) + number(" to %.4f", ratio.high);
}

std::string verdict_text(const ComparedCase& one) {
  return one.is_reference ? "reference" : std::string(name_of(one.verdict));
}

std::vector<std::string> cells(const ComparedCase& one) {
  const Ratio& e = one.estimate;
  return {one.a->name,
          number("%.5g", median(one.a->seconds) * 1e3),
          number("%.5g", median(one.b->seconds) * 1e3),
          number("%.4f", e.value),
          interval_of(e),
          verdict_text(one)};
}

/// Why a case has its verdict.
std::string why_of(const ComparedCase& one, const CompareRule& rule) {
  const Ratio& e = one.estimate;
  if (one.is_reference) return "native, which the times of the others are divided by";
  const std::string limit = number("%g %% ", 100 * rule.least);
  if (!e.has_interval()) return "too few runs for an interval";
  if (one.verdict == Verdict::same) return "the whole interval is within " + limit + "of 1";
  if (e.low <= 1 && e.high >= 1)
    return "the interval holds 1, and B/A that are " + limit + "off or more";
  const std::string leaves_out = "the interval leaves out 1, and B/A is ";
  return one.verdict == Verdict::inconclusive
             ? leaves_out + "less than " + limit + "off"
             : leaves_out + limit + (e.value > 1 ? "above it or more" : "below it or more");
}

using Json = nlohmann::ordered_json;

Json json_of(const RunRecord& run) {
  Json json{{"file", run.path}, {"date", run.date}};
  for (const Facts* facts : {&run.machine, &run.build})
    for (const auto& [fact, value] : *facts)
      json[fact] = value;
  json["warnings"] = run.warnings;
  if (!run.unverified.empty()) json["unverified"] = run.unverified;
  return json;
}

Json json_of(const ComparedCase& one, const CompareRule& rule) {
  Json row{{"case", one.a->name},
           {"a_median_seconds", median(one.a->seconds)},
           {"b_median_seconds", median(one.b->seconds)},
           {"ratio", one.estimate.value}};
  if (one.estimate.has_interval()) {
    row["ratio_low"] = one.estimate.low;
    row["ratio_high"] = one.estimate.high;
  }
  row["verdict"] = verdict_text(one);
  row["why"] = why_of(one, rule);
  return row;
}

} // namespace

std::vector<TextTable::Column> compare_columns(const CompareRule& rule) {
  const char* of = rule.several ? "median of the medians of the runs" : "median of the run";
  return {
      {"case", false, "algorithm, variant, sizes and type, as in the record"},
      {"A ms", true, of},
      {"B ms", true, of},
      {"B/A", true,
       "median of the ratios of all times in B to all in A (Hodges and Lehmann); "
       "above 1 B takes longer. Where a native variant ran in turn, each time is divided by its "
       "time first: what moved the machine moved both"},
      {rule.confidence == Confidence::percent_99 ? "99 % interval" : "95 % interval", false,
       rule.several ? "of B/A, the one that belongs to the Mann-Whitney test"
                    : "of B/A, the one that belongs to the Mann-Whitney test, wider where times "
                      "may depend on each other; it knows the noise within each run alone"},
      {"verdict", false,
       "slower, faster: the interval leaves out 1, and B/A is off by " +
           number("%g", 100 * rule.least) +
           " % or more; same: the interval is within that; inconclusive: neither" +
           (rule.several ? ""
                         : ". Two processes differ by some per cent without a reason: --with "
                           "compares several") +
           "; reference: that native variant"}};
}

void print_comparison(std::ostream& out, const RunRecord& a, const RunRecord& b,
                      const Comparison& comparison, const CompareRule& rule) {
  for (const std::string& line : head_lines(a, b, comparison))
    out << line << '\n';
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
  for (const std::string& line : sum_lines(comparison))
    out << line << '\n';
}

std::string comparison_json(const RunRecord& a, const RunRecord& b, const Comparison& comparison,
                            const CompareRule& rule) {
  Json document{{"a", json_of(a)},
                {"b", json_of(b)},
                {"least", rule.least},
                {"confidence", rule.confidence == Confidence::percent_99 ? 0.99 : 0.95}};
  if (!comparison.other_conditions.empty())
    document["other_conditions"] = comparison.other_conditions;
  for (const Verdict verdict : verdicts)
    document["counts"][std::string(name_of(verdict))] = comparison.count(verdict);
  for (const auto& [verdict, count] : comparison.itself)
    document["a_with_itself"][std::string(name_of(verdict))] = count;
  document["counts"]["not compared"] = comparison.not_compared.size();
  document["counts"]["wrong"] = comparison.wrong;
  document["cases"] = Json::array();
  for (const ComparedCase& one : comparison.cases)
    document["cases"].push_back(json_of(one, rule));
  for (const NotCompared& one : comparison.not_compared)
    document["cases"].push_back(
        {{"case", one.name}, {"verdict", "not compared"}, {"why", one.why}});
  return document.dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n"; // a path may not be UTF-8
}

std::string comparison_markdown(const RunRecord& a, const RunRecord& b,
                                const Comparison& comparison, const CompareRule& rule) {
  std::string text;
  for (const std::string& line : head_lines(a, b, comparison))
    text += markdown_plain(line) + "\n\n";
  std::vector<TextTable::Column> columns = compare_columns(rule);
  columns.push_back({"why"});
  text += markdown_head(columns);
  for (const ComparedCase& one : comparison.cases) {
    std::vector<std::string> row = cells(one);
    row.push_back(why_of(one, rule));
    text += markdown_line(row);
  }
  for (const NotCompared& one : comparison.not_compared)
    text += markdown_line({one.name, "", "", "", "", "not compared", one.why});
  for (const std::string& line : sum_lines(comparison))
    text += "\n" + markdown_plain(line) + "\n";
  return text;
}

} // namespace ado::bench
