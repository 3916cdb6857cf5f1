// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every value that a run reports, declared once: the table on the screen, JSON, CSV, Markdown and
// `explain` are made from it.
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

namespace ado {

/// Of the records' format: the next number where a field means something else or is gone.
inline constexpr int record_version = 1;

/// A run: what it found out, and where and with what build it took place.
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
  std::string word{}; ///< by which `explain` calls it, where that is not the title
  std::size_t least_width = 0;
  int drop = 0; ///< where the table is too wide for the screen the highest goes first; 0 stays
  bool (*in)(const Results&) = [](const Results&) { return true; };
  /// A table on the screen has the column where one of its rows does.
  bool (*concerns)(const RowResult&) = [](const RowResult&) { return true; };
};

/// A value. Subject: what it is of, a Run, a Side, StageTimes, a Launched.
template <class Subject>
struct Field {
  using Json = nlohmann::ordered_json;

  std::string name{}; ///< in CSV; empty: not there
  std::string meaning;
  std::function<Json(const Subject&)> value{}; ///< null where the subject has none
  std::string json = name; ///< in JSON: a path, "streamed/slices"; empty: not there
  bool in_each = false;    ///< in the entries of all repetitions, not of the first alone
  std::optional<Shown<Subject>> shown{};
};

/// Of a side of a row; those that are shown are the columns of the table, in this order.
const std::vector<Field<Side>>& side_fields();
/// Those of side_fields() that say what ran, under what conditions, and what its accesses predict.
std::vector<Field<Side>> problem_fields();
std::vector<Field<Side>> condition_fields();
std::vector<Field<Side>> prediction_fields();
/// Of its stages; those that are shown are the columns of --stages.
const std::vector<Field<StageTimes>>& stage_fields();
/// Of one kernel that it launches; those that are shown are the columns of --launches.
const std::vector<Field<Launched>>& launch_fields();
/// Of the run.
const std::vector<Field<Run>>& run_fields();

/// A title of two lines as one.
std::string one_line(const std::string& title);
/// By which `explain` calls a column.
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
/// The columns of the table that the results have.
std::vector<const Field<Side>*> columns_of(const Results& results);
/// A row's cell.
std::string cell_of(const Field<Side>& column, const Results& results, const RowResult& row);

/// The values of a subject that stand in JSON, under their names.
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

} // namespace ado
