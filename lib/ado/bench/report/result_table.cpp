// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/rows.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/result_table.hpp>

#include <algorithm>
#include <ostream>

namespace ado::bench {
namespace {

using Column = Field<Side>;

std::vector<std::string> cells_of(const std::vector<const Column*>& columns, const Results& results,
                                  const RowResult& row) {
  std::vector<std::string> cells;
  for (const Column* column : columns)
    cells.push_back(cell_of(*column, results, row));
  return cells;
}

/// As wide as the planned rows need it.
TextTable table_of(const std::vector<const Column*>& columns, const Results& planned) {
  std::vector<TextTable::Column> titles;
  for (const Column* column : columns)
    titles.push_back(column_of(*column));
  TextTable table(titles, 1);
  for (const RowResult& row : planned.rows)
    table.fit(cells_of(columns, planned, row));
  return table;
}

std::vector<const Column*> columns_that_fit(const Results& planned, std::size_t width) {
  std::vector<const Column*> columns = columns_of(planned);
  std::erase_if(columns, [&](const Column* column) {
    return std::none_of(planned.rows.begin(), planned.rows.end(), column->shown->concerns);
  });
  while (!columns.empty() && table_of(columns, planned).width() > width) {
    const auto first =
        std::max_element(columns.begin(), columns.end(), [](const Column* a, const Column* b) {
          return a->shown->drop < b->shown->drop;
        });
    if ((*first)->shown->drop == 0) break;
    std::erase_if(columns, [drop = (*first)->shown->drop](const Column* c) {
      return c->shown->drop == drop;
    });
  }
  return columns;
}

/// Whether some problem has several variants.
bool has_ladder(const Results& results) {
  const auto& rows = results.rows;
  return std::adjacent_find(rows.begin(), rows.end(), [](const RowResult& a, const RowResult& b) {
           return a.problem.algorithm == b.problem.algorithm &&
                  a.problem.shape == b.problem.shape && a.name != b.name;
         }) != rows.end();
}

/// Explains the ratios: for a twin it is Kokkos' cost, for another variant mostly its own.
void print_twins(std::ostream& out, const Results& planned) {
  if (!has_ladder(planned)) return;
  if (!planned.rows.front().problem.algorithm->ladder.empty())
    out << "Variants climb from naive to best.\n";
  std::string same, form, named, other;
  for (const RowResult& row : planned.rows)
    if (row.portable.variant != nullptr && row.native.variant != nullptr) {
      const Variant& portable = *row.portable.variant;
      const bool twin = portable.name == row.native.variant->name;
      std::string& native = twin                                     ? same
                            : is_portable(row.native.variant->model) ? named
                            : is_form(portable)                      ? form
                                                                     : other;
      if (native.empty()) native = native_text(row);
    }
  if (!same.empty())
    print_wrapped(out, "native " + same +
                           ": the same variant by hand; the ratio is the cost of Kokkos.");
  if (!named.empty())
    print_wrapped(out, "native " + named +
                           ": another variant in Kokkos; above 1, the row's takes longer.");
  if (!other.empty())
    print_wrapped(out, "native " + other +
                           ": the best by hand; the ratio is the cost of the variant" +
                           (form.empty() ? "." : ", and Kokkos' cost for plain and tuned."));
  else if (!form.empty())
    print_wrapped(out, "native " + form +
                           ": the best by hand; the ratio is the cost of Kokkos written so.");
}

/// Options that change every time.
void print_conditions(std::ostream& out, const Results& results) {
  if (const std::size_t ranks = results.device->ranks.size(); ranks > 0)
    out << "Each of " << ranks
        << " ranks has a part. Times are of the slowest rank, bytes of the first.\n";
  if (results.stop.cold_cache) out << "Caches are cold before each timed run.\n";
  if (!results.reference.empty()) out << "The reference is " << results.reference << ".\n";
}

/// A problem and remarks on it, on separate lines if they do not fit one.
std::string title_of(const Problem& problem, const Results& results) {
  std::string title = problem_text(problem, results);
  if (const std::size_t note = title.find(" ("); note != std::string::npos)
    if (title.size() > screen_columns) title.replace(note, 1, "\n  ");
  return title;
}

} // namespace

ResultTable::ResultTable(std::ostream& out, const Results& planned, std::size_t columns,
                         bool in_colour)
    : out_(out),
      results_(planned),
      in_colour_(in_colour),
      columns_(columns_that_fit(planned, columns)),
      table_(table_of(columns_, planned)) {
  for (const std::string& warning : warnings(planned)) {
    print_wrapped(out_, warning);
    out_ << '\n';
  }
  out_ << "Kokkos (portable) and hand-written (native) kernels, in turn on the same data.\n";
  print_twins(out_, planned);
  out_ << program_name << " explain table says what the columns mean.\n";
  print_conditions(out_, planned);
  out_ << '\n';
  table_.print_head(out_);
}

void ResultTable::add(const RowResult& row) {
  if (const std::string title = title_of(row.problem, results_); title != group_) {
    out_ << (group_.empty() ? "" : "\n") << title << '\n';
    group_ = title;
  }
  const std::string word = verdict_word(row), text = verdict_text(row);
  const bool red = in_colour_ && word == "WRONG";
  out_ << (red ? "\033[31m" : "") << table_.line_of(cells_of(columns_, results_, row));
  if (text != word && !text.empty()) out_ << "\n  " << text;
  out_ << (red ? "\033[m\n" : "\n") << std::flush;
}

} // namespace ado::bench
