// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run found out, in a few lines below its table.
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

namespace ado::bench {

/// The answer, printed between the rows that give it and the other rungs.
void print_answer_so_far(std::ostream& out, const Results& results, bool in_colour = false);
/// Below the table: what was wrong, how much was verified and decided, and the answer, portable
/// over native of the best variants. Only twins answer: any other native variant beside a rung
/// shows what the rung costs. In colour, decided results are bold and doubtful ones yellow.
void print_summary(std::ostream& out, const Results& results, bool in_colour = false);

/// The exit status for --max-ratio: 0, also without it; 4: a best variant is surely slower; 5: one
/// may be, or nothing was compared with its twin.
int ratio_status(const Results& results);

/// What the rows of one problem say of Kokkos, or of a rung: the row that says so, and its ratio,
/// if any.
struct Answer {
  const RowResult* row;
  std::optional<Ratio> ratio;
  std::size_t of_rows = 1; ///< rows that could have answered
};

/// Only twins show what Kokkos costs: `kokkos`, one per problem. A problem without any shows what a
/// rung costs against the best by hand: `rungs`.
struct Answers {
  std::vector<Answer> kokkos, rungs;
};
Answers answers_of(const Results& results);

/// Mean of the answers with a ratio; there must be one. The problems ran one after the other, so
/// their errors are independent, and the distances from each ratio to the ends of its interval add
/// up as squares (G. Y. Zou, A. Donner, Statistics in Medicine 27, 1693, 2008).
Ratio geometric_mean(const std::vector<Answer>& answers);
std::size_t with_ratio(const std::vector<Answer>& answers);

/// "yax f64".
std::string short_name(const Problem& problem);
/// The same, with its sizes if another of `all` has this name: "yax f64, 1000 x 67".
std::string label_of(const Problem& problem, const std::vector<const Problem*>& all);
/// People read this many answers one by one; more get one line per algorithm and type.
inline constexpr std::size_t most_answer_lines = 16;

/// The answers of one problem, as `forms`; null: a form that did not run.
struct FormAnswers {
  const Problem* problem;
  std::array<std::optional<Answer>, forms.size()> of;
};
/// For problems that have these forms, in row order.
std::vector<FormAnswers> form_answers_of(const Results& results);
/// If any problem ran in two forms or more, prints one line per problem and three for all, and
/// returns true.
bool print_forms(std::ostream& out, const std::vector<FormAnswers>& problems, bool in_colour);

} // namespace ado::bench
