// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/summary.hpp>
#include <ado/bench/run/kernel_lines.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

namespace ado::bench {
namespace {

using RowIterator = std::vector<RowResult>::const_iterator;

/// From one problem's rows that compare twins, or from those whose native variant stands in for a
/// twin: the algorithm's best, else the fastest. Does not pass over a wrong one for another.
std::optional<Answer> answer_of(RowIterator first, RowIterator last, bool twins) {
  std::optional<Answer> best;
  std::size_t rows = 0;
  bool best_is_named = false;
  for (; first != last; ++first) {
    const Variant *portable = first->portable.variant, *native = first->native.variant;
    if (portable == nullptr || native == nullptr || first->brief) continue;
    if (stands_in(native, portable) == twins) continue;
    const Answer here{&*first, portable_over_native(*first)};
    const bool named = is_best(*portable) && !first->portable.skipped;
    const auto time = [](const Answer& a) {
      return a.ratio ? median(a.row->portable.seconds) : HUGE_VAL;
    };
    const bool better = named != best_is_named ? named : !best || time(here) < time(*best);
    if (!best || better) {
      best = here;
      best_is_named = named;
    }
    best->of_rows = ++rows;
  }
  return best;
}

/// Calls f(first, last) for the rows of each problem, which are adjacent.
template <class F>
void for_each_problem(const Results& results, const F& f) {
  const auto end = results.rows.end();
  for (auto first = results.rows.begin(); first != end;) {
    const std::string problem = problem_name(first->problem);
    const auto last = std::find_if(
        first, end, [&](const RowResult& row) { return problem_name(row.problem) != problem; });
    f(first, last);
    first = last;
  }
}

} // namespace

Answers answers_of(const Results& results) {
  Answers answers;
  for_each_problem(results, [&](RowIterator first, RowIterator last) {
    if (const auto answer = answer_of(first, last, true))
      answers.kokkos.push_back(*answer);
    else if (const auto of_rung = answer_of(first, last, false))
      answers.rungs.push_back(*of_rung);
  });
  return answers;
}

Ratio geometric_mean(const std::vector<Answer>& answers) {
  double value = 0, below = 0, above = 0, count = 0;
  for (const Answer& answer : answers)
    if (const auto& ratio = answer.ratio) {
      value += std::log(ratio->value);
      below += std::pow(std::log(ratio->value / ratio->low), 2); // infinite if there is no interval
      above += std::pow(std::log(ratio->high / ratio->value), 2);
      count += 1;
    }
  value /= count;
  return {std::exp(value), std::exp(value - std::sqrt(below) / count),
          std::exp(value + std::sqrt(above) / count)};
}

std::size_t with_ratio(const std::vector<Answer>& answers) {
  return static_cast<std::size_t>(std::count_if(
      answers.begin(), answers.end(), [](const Answer& a) { return a.ratio.has_value(); }));
}

std::string short_name(const Problem& problem) {
  return std::string(problem.algorithm->name) + " " + std::string(name_of(problem.type));
}

std::string label_of(const Problem& problem, const std::vector<const Problem*>& all) {
  std::string label = short_name(problem);
  if (std::count_if(all.begin(), all.end(),
                    [&](const Problem* other) { return short_name(*other) == label; }) > 1) {
    for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
      label += (k == 0 ? ", " : " x ") + std::to_string(problem.shape[k]);
    label += padding_text(problem);
  }
  return label;
}

std::vector<FormAnswers> form_answers_of(const Results& results) {
  std::vector<FormAnswers> problems;
  for_each_problem(results, [&](RowIterator first, RowIterator last) {
    if (first->problem.algorithm->tuned.empty()) return;
    FormAnswers answers{&first->problem, {}};
    for (std::size_t form = 0; form < forms.size(); ++form) {
      const auto row = std::find_if(first, last, [&](const RowResult& r) {
        return r.portable.variant != nullptr && r.native.variant != nullptr &&
               r.portable.variant->name == forms[form].name;
      });
      if (row != last) answers.of[form] = Answer{&*row, portable_over_native(*row)};
    }
    const auto& of = answers.of;
    if (std::any_of(of.begin(), of.end(), [](const auto& a) { return a.has_value(); }))
      problems.push_back(answers);
  });
  return problems;
}

namespace {

std::vector<Answer> of_form(const std::vector<FormAnswers>& problems, std::size_t form) {
  std::vector<Answer> answers;
  for (const FormAnswers& problem : problems)
    if (problem.of[form]) answers.push_back(*problem.of[form]);
  return answers;
}

bool is_of_one_kernel(const Answer& answer) { return !shared_kernel(*answer.row).empty(); }

std::vector<Answer> compared_of(std::vector<Answer> answers) {
  std::erase_if(answers, [](const Answer& answer) { return !answer.ratio; });
  return answers;
}

/// The mean that says what Kokkos costs: leaves out answers whose two sides run one kernel, unless
/// all do.
Ratio mean_of(const std::vector<Answer>& answers) {
  std::vector<Answer> compared = compared_of(answers);
  if (!std::all_of(compared.begin(), compared.end(), is_of_one_kernel))
    std::erase_if(compared, is_of_one_kernel);
  return geometric_mean(compared);
}

/// "without average_mv, where both run one kernel"; empty if all have two kernels.
std::string left_out_text(const std::vector<Answer>& answers) {
  const std::vector<Answer> compared = compared_of(answers);
  std::set<std::string_view> names;
  for (const Answer& answer : compared)
    if (is_of_one_kernel(answer)) names.insert(answer.row->problem.algorithm->name);
  if (names.empty()) return "";
  const bool all = std::all_of(compared.begin(), compared.end(), is_of_one_kernel);
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? (all ? "of " : "without ") : " and ") + std::string(name);
  return text + ", where both run one kernel";
}

/// A line per problem and a column per form; with many problems, a line per algorithm and type.
void print_form_table(std::ostream& out, const std::vector<FormAnswers>& problems) {
  std::vector<TextTable::Column> columns{{"time over the best by hand"}};
  for (const Form& form : forms)
    columns.push_back({std::string(form.name), true});
  TextTable table(columns);
  std::vector<const Problem*> all;
  for (const FormAnswers& answers : problems)
    all.push_back(answers.problem);
  std::vector<std::pair<std::string, std::vector<FormAnswers>>> lines;
  for (const FormAnswers& answers : problems) {
    const std::string name = problems.size() > most_answer_lines ? short_name(*answers.problem)
                                                                 : label_of(*answers.problem, all);
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const auto& other) { return other.first == name; });
    if (line == lines.end())
      lines.push_back({name, {answers}});
    else
      line->second.push_back(answers);
  }
  if (lines.size() > 1) lines.emplace_back("geometric mean", problems);
  for (const auto& [name, group] : lines) {
    std::vector<std::string> cells{name};
    for (std::size_t form = 0; form < forms.size(); ++form) {
      const std::vector<Answer> answers = of_form(group, form);
      cells.push_back(with_ratio(answers) == 0 ? "-" : ratio_text(mean_of(answers)));
    }
    table.add(std::move(cells));
  }
  table.print(out);
}

/// "373 lines, 23 % for one backend": the mean over the kernels that ran.
std::string lines_text(const std::vector<Answer>& answers) {
  std::set<const KernelLines*> kernels;
  for (const Answer& answer : answers)
    kernels.insert(kernel_lines(*answer.row->portable.variant));
  kernels.erase(nullptr);
  if (kernels.empty()) return "";
  KernelLines sum{};
  for (const KernelLines* kernel : kernels) {
    sum.all += kernel->all;
    sum.of_one_backend += kernel->of_one_backend;
  }
  const int count = static_cast<int>(kernels.size());
  return std::to_string((sum.all + count / 2) / count) +
         (count > 1 ? " lines a kernel, " : " lines, ") + sum.share_text() + " for one backend";
}

/// "1.031 times the best by hand (1.025 to 1.036)". If in doubt, the doubt comes before the figure.
std::string mean_text(const std::vector<Answer>& answers) {
  if (with_ratio(answers) == 0) return answers.empty() ? "not run" : "no answer";
  const Ratio mean = mean_of(answers);
  const auto times = [](double value) { return number(value < 2 ? "%.3f" : "%.2f", value); };
  const std::string range = times(mean.low) + " to " + times(mean.high);
  if (!mean.has_interval() || is_open(mean))
    return std::string("no answer, for runs are too ") + (mean.has_interval() ? "noisy" : "few") +
           "; try --timeout 30";
  if (verdict_of(mean) == Verdict::inconclusive)
    return "undecided, " + range + " times the best by hand";
  return times(mean.value) + " times the best by hand (" + range + ")";
}

bool is_decided(const std::vector<Answer>& answers) {
  return with_ratio(answers) > 0 && verdict_of(mean_of(answers)) != Verdict::inconclusive;
}

/// About one way to write Kokkos: its mean, what that leaves out, what the way is, and its lines.
std::vector<std::string> form_pieces(const Form& form, const std::vector<Answer>& answers) {
  std::vector<std::string> pieces{mean_text(answers)};
  const std::size_t compared = with_ratio(answers);
  if (compared > 0 && compared < answers.size())
    pieces.push_back(std::to_string(answers.size() - compared) + " of " +
                     std::to_string(answers.size()) + " problems could not be compared");
  if (const std::string text = left_out_text(answers); !text.empty()) pieces.push_back(text);
  pieces.emplace_back(form.is);
  if (const std::string lines = lines_text(answers); !lines.empty()) pieces.push_back(lines);
  return pieces;
}

} // namespace

bool print_forms(std::ostream& out, const std::vector<FormAnswers>& problems, bool in_colour) {
  std::size_t run = 0;
  for (std::size_t form = 0; form < forms.size(); ++form)
    run += of_form(problems, form).empty() ? 0 : 1;
  if (run < 2) return false;
  out << '\n';
  print_form_table(out, problems);
  out << '\n';
  for (std::size_t form = 0; form < forms.size(); ++form) {
    const std::vector<Answer> answers = of_form(problems, form);
    if (in_colour && !answers.empty()) out << (is_decided(answers) ? "\033[1m" : "\033[33m");
    print_pieces(out, std::string(forms[form].name), form_pieces(forms[form], answers), "; ");
    if (in_colour && !answers.empty()) out << "\033[m";
  }
  return true;
}

} // namespace ado::bench
