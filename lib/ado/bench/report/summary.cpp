// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run found out, in a few lines below its table.
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/summary.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

namespace ado::bench {
namespace {

/// Whether all come from their algorithm's best variant; if not, twins of other rungs answer.
bool of_the_best(const std::vector<Answer>& answers) {
  return std::all_of(answers.begin(), answers.end(),
                     [](const Answer& a) { return is_best(*a.row->portable.variant); });
}

std::vector<std::string> ratio_cells(const Ratio& ratio) {
  const Verdict verdict = verdict_of(ratio);
  return {ratio_text(ratio), interval_text(ratio),
          verdict == Verdict::inconclusive ? "undecided" : std::string(name_of(verdict))};
}

/// One line per problem.
void print_answers(std::ostream& out, const std::vector<Answer>& answers) {
  TextTable table({{"problem"},
                   {of_the_best(answers) ? "best variant" : "variant"},
                   {"portable\n/native", true},
                   {"95 %\ninterval"},
                   {"Kokkos"}},
                  1);
  const auto add = [&](std::vector<std::string> cells, const std::vector<std::string>& more) {
    cells.insert(cells.end(), more.begin(), more.end());
    table.add(std::move(cells));
  };
  std::vector<const Problem*> problems;
  for (const Answer& answer : answers)
    problems.push_back(&answer.row->problem);
  for (const Answer& answer : answers)
    add({label_of(answer.row->problem, problems), answer.row->name},
        answer.ratio ? ratio_cells(*answer.ratio)
                     : std::vector<std::string>{"-", "", verdict_word(*answer.row)});
  if (with_ratio(answers) > 1) add({"geometric mean", ""}, ratio_cells(geometric_mean(answers)));
  table.print(out);
}

/// One line per algorithm and type, if there are more problems than people want to read.
void print_answers_by_algorithm(std::ostream& out, const std::vector<Answer>& answers) {
  std::map<std::string, std::vector<Answer>> groups;
  for (const Answer& answer : answers)
    groups[short_name(answer.row->problem)].push_back(answer);
  TextTable table({{"portable/native of"},
                   {"problems", true},
                   {"compared", true},
                   {"geometric\nmean", true},
                   {"least", true},
                   {"most", true}});
  for (const auto& [name, group] : groups) {
    std::vector<double> ratios;
    for (const Answer& answer : group)
      if (answer.ratio) ratios.push_back(answer.ratio->value);
    std::sort(ratios.begin(), ratios.end());
    const auto text = [&](double value) { return number("%.3f", value); };
    table.add({name, std::to_string(group.size()), std::to_string(ratios.size()),
               ratios.empty() ? "-" : text(geometric_mean(group).value),
               ratios.empty() ? "-" : text(ratios.front()),
               ratios.empty() ? "-" : text(ratios.back())});
  }
  table.print(out);
}

std::string per_cent(double ratio) { return number("%.1f %%", std::abs(100 * (ratio - 1))); }

/// A sentence about `these`, say "best variants".
std::string answer_text(const Ratio& mean, const std::string& these) {
  const auto from_to = [](double a, double b) {
    return " (" + per_cent(a) + " to " + per_cent(b) + ")";
  };
  const auto more_or_less = [](double ratio) {
    return per_cent(ratio) + (ratio < 1 ? " less" : " more");
  };
  const std::string on_average = " here, the " + these + " on average";
  switch (verdict_of(mean)) {
  case Verdict::same:
    return "Kokkos costs nothing here: the " + these + " are within 1 % of the native ones";
  case Verdict::slower:
    return "Kokkos costs " + per_cent(mean.value) + on_average + from_to(mean.low, mean.high);
  case Verdict::faster:
    return "Kokkos is " + per_cent(mean.value) + " faster" + on_average +
           from_to(mean.high, mean.low);
  case Verdict::inconclusive:
    break;
  }
  if (!mean.has_interval() || is_open(mean))
    return "The " + these + " took " + more_or_less(mean.value) + " time with Kokkos; " +
           (mean.has_interval() ? "too noisy" : "too few runs") + " to be sure";
  return "The " + these + " take " + more_or_less(mean.low) + " to " + more_or_less(mean.high) +
         " time with Kokkos: undecided";
}

/// Which answers say nothing of a kernel because both variants run the same one.
void print_shared_kernels(std::ostream& out, const std::vector<Answer>& answers) {
  std::set<std::string> seen;
  for (const Answer& answer : answers) {
    const std::string_view shared = shared_kernel(*answer.row);
    const std::string algorithm(answer.row->problem.algorithm->name);
    if (shared.empty() || !seen.insert(algorithm).second) continue;
    print_wrapped(out, algorithm + ": both run the kernel of " + std::string(shared) +
                           ", so the ratio is that of what is around it.");
  }
}

/// "here strided took 16.7 times as long as openmp/team."
std::string rung_text(const Answer& answer) {
  const RowResult& row = *answer.row;
  if (!answer.ratio) return "here " + row.name + " was not compared.";
  std::string ratio = ratio_text(*answer.ratio);
  const bool sure = ratio.back() != '?';
  ratio.pop_back();
  return "here " + row.name + (answer.of_rows > 1 ? ", the fastest,\ntook " : " took ") +
         (sure ? "" : "about ") + ratio + " times as long as " + full_name(*row.native.variant) +
         ".";
}

/// Explains the ratios if nothing compares twins, so that nobody takes a rung's cost for Kokkos'.
void print_rungs(std::ostream& out, const std::vector<Answer>& rungs) {
  if (rungs.empty()) return;
  const bool are_forms = std::all_of(rungs.begin(), rungs.end(), [](const Answer& answer) {
    return is_form(*answer.row->portable.variant);
  });
  const bool of_kokkos = std::all_of(rungs.begin(), rungs.end(), [](const Answer& answer) {
    return is_portable(answer.row->native.variant->model);
  });
  out << '\n'
      << (rungs.size() == 1 ? short_name(rungs.front().row->problem)
                            : std::to_string(rungs.size()) + " problems")
      << (of_kokkos   ? ": a ratio is of two variants in Kokkos"
          : are_forms ? ": a ratio is the cost of Kokkos written so"
                      : ": no twins, so a ratio is the cost of the rung, not of Kokkos");
  out << (rungs.size() == 1 ? ":\n" + rung_text(rungs.front()) : ".") << '\n';
  if (of_kokkos) return;
  std::set<std::string_view> best;
  for (const Answer& answer : rungs)
    if (answer.row->problem.algorithm->tuned.empty())
      best.insert(answer.row->native.variant->name);
    else
      for (const Form& form : forms)
        best.insert(form.name);
  std::string names;
  for (const std::string_view name : best)
    names += (names.empty() ? "" : ",") + std::string(name);
  out << "--variant " << names << " tells what Kokkos costs.\n";
}

void print_answer(std::ostream& out, const std::vector<Answer>& answers) {
  if (answers.empty()) return;
  out << '\n';
  if (answers.size() <= most_answer_lines)
    print_answers(out, answers);
  else
    print_answers_by_algorithm(out, answers);
  print_shared_kernels(out, answers);
  const std::size_t compared = with_ratio(answers);
  out << '\n'
      << (compared == 0 ? "No answer"
                        : answer_text(geometric_mean(answers),
                                      of_the_best(answers) ? "best variants" : "twins"));
  if (compared < answers.size())
    out << (compared == 0 ? ": " : ";\n") << answers.size() - compared << " of " << answers.size()
        << " problems could not be compared";
  out << ".\n";
}

/// The exit status of an answer under --max-ratio: 4 surely above it, 5 possibly, 0 not. Without a
/// ratio, possibly.
int status_of(const Answer& answer, double most) {
  const auto& ratio = answer.ratio;
  if (ratio && ratio->low > most) return 4;
  return !ratio || !ratio->has_interval() || ratio->high > most ? 5 : 0;
}

void print_limit(std::ostream& out, const Results& results, const std::vector<Answer>& answers) {
  if (!results.max_ratio) return;
  const std::string limit = "--max-ratio " + number("%.4g", *results.max_ratio);
  if (answers.empty()) out << '\n' << limit << ": nothing was compared with its twin\n";
  for (const auto& [status, words] :
       {std::pair(4, "above "), std::pair(5, "not sure to be below ")}) {
    std::string names;
    for (const Answer& answer : answers)
      if (status_of(answer, *results.max_ratio) == status)
        names += "\n  " + problem_name(answer.row->problem);
    if (!names.empty()) out << '\n' << words << limit << ":" << names << '\n';
  }
}

bool went_wrong(const RowResult& row, const Measurement& m) {
  return !m.failure.empty() && !m.skipped && !(m.refused && row.in_sweep);
}

/// Repeated here: they may have scrolled off the screen.
void print_failures(std::ostream& out, const Results& results) {
  constexpr std::size_t most_lines = 10;
  std::vector<std::string> lines;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native, &row.reference})
      if (went_wrong(row, *m))
        lines.push_back(problem_name(row.problem) + ", " + row.name + ": " +
                        (m->crashed ? "" : full_name(*m->variant) + ": ") + m->failure);
  if (lines.empty()) return;
  out << (lines.size() == 1 ? "This" : "These") << " went wrong:\n";
  for (std::size_t k = 0; k < std::min(lines.size(), most_lines); ++k)
    out << "  " << lines[k] << '\n';
  if (lines.size() > most_lines)
    out << "  and " << lines.size() - most_lines << " more, see the table\n";
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
  out << (results.stop.skip_verification ? "; " + std::string(not_verified) + "\n" : "\n");
}

/// How much is undecided, and what would help.
void print_undecided(std::ostream& out, const Results& results) {
  std::size_t ratios = 0, undecided = 0, noisy = 0;
  for (const RowResult& row : results.rows) {
    if (row.brief) continue;
    const auto ratio = portable_over_native(row);
    ratios += ratio ? 1 : 0;
    undecided += ratio && verdict_of(*ratio) == Verdict::inconclusive ? 1 : 0;
    for (const Measurement* m : {&row.portable, &row.native})
      noisy += too_noisy(results, *m) ? 1 : 0;
  }
  if (undecided > 0) out << undecided << " of " << counted(ratios, "ratio") << " undecided (?)\n";
  if (noisy > 0) out << counted(noisy, "result") << " noisier than --max-noise (~)\n";
  if (undecided + noisy > 0)
    out << "to decide more: --timeout 30, more --reps, a quieter machine, bound threads\n";
}

/// How far processes differ, or that only one measured what another may measure otherwise.
void print_processes(std::ostream& out, const Results& results) {
  std::vector<double> between, within;
  bool short_runs = false;
  for (const RowResult& row : results.rows) {
    if (const auto scatter = scatter_of_processes(row)) {
      between.push_back(scatter->between);
      within.push_back(scatter->within);
    }
    short_runs = short_runs || (!row.brief && row.processes.empty() && portable_over_native(row) &&
                                may_stay_in_cache(row.problem, *results.device));
  }
  if (results.processes > 1) {
    std::string text = std::to_string(results.processes) + " processes, of ";
    text += results.places == 1
                ? "one program"
                : "programs linked at " + std::to_string(results.places) + " places";
    if (!between.empty()) {
      const double from_one_to_the_next = std::pow(median(between), 2);
      const double all = from_one_to_the_next + std::pow(median(within), 2);
      text += ": ratios differ by " + number("%.1f %%", 100 * median(between)) +
              " from one to the next and by " + number("%.1f %%", 100 * median(within)) +
              " within one (standard deviations), so " +
              number("%.0f %%", all > 0 ? 100 * from_one_to_the_next / all : 0) +
              " of an interval's variance is from one to the next";
    }
    print_wrapped(out, text);
  } else if (short_runs && results.device->on_host) {
    out << "short runs, in one process: another may differ by more than the intervals say;\n"
           "--processes 8 takes that in\n";
  }
}

/// Why the launches of this run are unknown; empty: they are known.
std::string no_launches_because(const Results& results) {
  for (const RowResult& row : results.rows)
    for (const Measurement* m : {&row.portable, &row.native})
      if (!m->launches.unknown_because.empty()) return m->launches.unknown_because;
  return "";
}

/// Repeated here for those who read only the answer.
void print_load(std::ostream& out, const Results& results) {
  if (const std::string load = load_warning(*results.device); !load.empty())
    out << '\n' << load << '\n';
}

} // namespace

void print_answer_so_far(std::ostream& out, const Results& results, bool in_colour) {
  print_load(out, results);
  print_forms(out, form_answers_of(results), in_colour);
  out << "\nThe other rungs, each in up to three runs; --variant NAME measures one in full:\n"
      << std::flush;
}

void print_summary(std::ostream& out, const Results& results, bool in_colour) {
  out << '\n';
  if (const std::string throttle = throttle_warning(results); !throttle.empty())
    out << throttle << '\n'; // not known before the rows ran
  if (const std::string why = no_launches_because(results); !why.empty())
    out << "no launch facts: " << why << '\n';
  print_failures(out, results);
  print_count(out, results);
  print_undecided(out, results);
  print_processes(out, results);
  const Answers answers = answers_of(results);
  print_rungs(out, answers.rungs);
  print_load(out, results);
  std::vector<Answer> others = answers.kokkos;
  if (print_forms(out, form_answers_of(results), in_colour)) {
    std::erase_if(others, [](const Answer& a) { return !a.row->problem.algorithm->tuned.empty(); });
  }
  print_answer(out, others);
  print_limit(out, results, answers.kokkos);
}

int ratio_status(const Results& results) {
  if (!results.max_ratio) return 0;
  const std::vector<Answer> answers = answers_of(results).kokkos;
  int status = answers.empty() ? 5 : 0;
  for (const Answer& answer : answers)
    if (const int of_answer = status_of(answer, *results.max_ratio); status != 4 && of_answer != 0)
      status = of_answer;
  return status;
}

} // namespace ado::bench
