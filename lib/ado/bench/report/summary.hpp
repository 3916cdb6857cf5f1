// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run found out, in a few lines behind its table.
#pragma once

#include <ado/bench/cli/rows.hpp>
#include <ado/bench/run/results.hpp>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// Between the rows that answer what portable code costs and those of the ladders: the answer.
void print_answer_so_far(std::ostream& out, const Results& results, bool in_colour = false);
/// Behind the table: what was wrong, how much was verified and decided, and portable over native of the
/// best variants, which is the answer. Only twins answer: another native variant beside a rung says what the rung costs.
/// In colour what is decided is bold, and what is in doubt yellow.
void print_summary(std::ostream& out, const Results& results, bool in_colour = false);

/// The exit status that --max-ratio asks for: 0, also where it was not given; 4: a best variant is surely slower; 5:
/// one may be, or nothing was compared with its twin.
int ratio_status(const Results& results);

/// What the rows of one problem say of Kokkos, or of a rung: the row that says so, and its ratio where it has one.
struct Answer {
  const RowResult* row;
  std::optional<Ratio> ratio;
  std::size_t of_rows = 1; ///< that could have answered
};

/// Only twins tell what Kokkos costs: `kokkos`, one for each problem. A problem without any says what a rung costs against
/// the best by hand: `rungs`.
struct Answers {
  std::vector<Answer> kokkos, rungs;
};
Answers answers_of(const Results& results);

/// Of those that have a ratio, which must be one at least. The problems ran one after the other, so their errors are
/// independent, and the distances from each ratio to the ends of its interval add up as squares (G. Y. Zou, A. Donner,
/// Statistics in Medicine 27, 1693, 2008).
Ratio geometric_mean(const std::vector<Answer>& answers);
std::size_t with_ratio(const std::vector<Answer>& answers);

/// "yax f64".
std::string short_name(const Problem& problem);
/// The same, with its sizes where another of `all` has this name: "yax f64, 1000 x 67".
std::string label_of(const Problem& problem, const std::vector<const Problem*>& all);
/// Answers that one wants to read one by one; of more there is a line for each algorithm and type.
inline constexpr std::size_t most_answer_lines = 12;

/// The answers of one problem, as `forms`; null where a form was not run.
struct FormAnswers {
  const Problem* problem;
  std::array<std::optional<Answer>, forms.size()> of;
};
/// Of problems that have these forms, in the order of the rows.
std::vector<FormAnswers> form_answers_of(const Results& results);
/// Prints a line a problem and three for all, and returns true, where some problem was run in two forms at least.
bool print_forms(std::ostream& out, const std::vector<FormAnswers>& problems, bool in_colour);

} // namespace ado
