// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every value that a run reports, declared once: the table on the screen, JSON, CSV, Markdown and
// `explain` come from it.
#pragma once

#include <ado/bench/io/text_table.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// Version of the records' format: the next number when a field changes its meaning or goes.
inline constexpr int record_version = 1;

/// A run: what it found out, and where and with which build it took place.
struct Run {
  const Results& results;
  const RunFacts& facts;
};

/// One side of a row.
struct Side {
  const Results& results;
  const RowResult& row;
  const Measurement& m;

  bool timed() const { return !m.seconds.empty(); }
};

/// A kernel that a measured variant launches.
struct Launched {
  const Measurement& m;
  const LaunchFacts& kernel;

  bool is_first() const { return &kernel == m.launches.kernels.data(); }
};

/// How a table on the screen shows a value.
template <class Subject>
struct Shown {
  std::string title; ///< of one line or two
  bool right = false;
  std::string (*cell)(const Subject&);
  std::string word{}; ///< its name in `explain`, if not the title
  std::size_t least_width = 0;
  int drop = 0; ///< if the table is too wide for the screen, the highest goes first; 0 stays
  bool (*in)(const Results&) = [](const Results&) { return true; };
  /// The table on the screen has the column if one of its rows does.
  bool (*concerns)(const RowResult&) = [](const RowResult&) { return true; };
};

/// A value of a Subject: a Run, a Side, StageTimes or a Launched.
template <class Subject>
struct Field {
  using Json = nlohmann::ordered_json;

  std::string name{}; ///< in CSV; empty: not there
  std::string meaning;
  std::function<Json(const Subject&)> value{}; ///< null if the subject has none
  std::string json = name; ///< in JSON: a path, "streamed/slices"; empty: not there
  bool in_each = false;    ///< in the entries of all repetitions, not only the first
  std::optional<Shown<Subject>> shown{};
};

/// Values of a side of a row; those shown are the columns of the table, in this order.
const std::vector<Field<Side>>& side_fields();
/// Those of side_fields() that say what ran, under which conditions, and what its accesses predict.
std::vector<Field<Side>> problem_fields();
std::vector<Field<Side>> condition_fields();
std::vector<Field<Side>> prediction_fields();
/// Values of its stages; those shown are the columns of --stages.
const std::vector<Field<StageTimes>>& stage_fields();
/// Values of one kernel that it launches; those shown are the columns of --launches.
const std::vector<Field<Launched>>& launch_fields();
/// Values of the run.
const std::vector<Field<Run>>& run_fields();

/// A two-line title as one line.
std::string one_line(const std::string& title);
/// What `explain` calls a column.
template <class Subject>
std::string word_of(const Shown<Subject>& shown) {
  return shown.word.empty() ? one_line(shown.title) : shown.word;
}
template <class Subject>
TextTable::Column column_of(const Field<Subject>& field) {
  return {field.shown->title, field.shown->right, field.meaning, field.shown->least_width};
}
template <class Subject>
std::vector<TextTable::Column> columns_of(const std::vector<Field<Subject>>& fields) {
  std::vector<TextTable::Column> columns;
  for (const Field<Subject>& field : fields)
    if (field.shown) columns.push_back(column_of(field));
  return columns;
}
template <class Subject>
std::vector<std::string> cells_of(const std::vector<Field<Subject>>& fields,
                                  const Subject& subject) {
  std::vector<std::string> cells;
  for (const Field<Subject>& field : fields)
    if (field.shown) cells.push_back(field.shown->cell(subject));
  return cells;
}
/// The columns that the results' table has.
std::vector<const Field<Side>*> columns_of(const Results& results);
/// A row's cell.
std::string cell_of(const Field<Side>& column, const Results& results, const RowResult& row);

/// The subject's values in JSON, under their names.
template <class Subject>
nlohmann::ordered_json json_of(const std::vector<Field<Subject>>& fields, const Subject& subject) {
  using Json = nlohmann::ordered_json;
  Json object = Json::object();
  for (const Field<Subject>& field : fields)
    if (!field.json.empty())
      if (Json value = field.value(subject); !value.is_null())
        object[Json::json_pointer("/" + field.json)] = std::move(value);
  return object;
}

} // namespace ado::bench
