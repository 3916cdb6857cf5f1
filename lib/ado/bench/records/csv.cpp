// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/csv.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/bench/report/fields.hpp>

namespace ado::bench {
namespace {

using Json = nlohmann::ordered_json;

/// An empty field for no value; the texts of a list.
std::string csv_value(const Json& value) {
  if (value.is_array()) {
    std::string all;
    for (const std::string text : value)
      all += (all.empty() ? "" : "; ") + text;
    return all;
  }
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? csv_number(value.get<double>()) : value.dump();
}

template <class Subject>
void add_names(std::vector<std::string>& names, const std::vector<Field<Subject>>& fields) {
  for (const Field<Subject>& field : fields)
    if (!field.name.empty()) names.push_back(field.name);
}

template <class Subject>
void add_values(std::vector<std::string>& values, const std::vector<Field<Subject>>& fields,
                const Subject& subject) {
  for (const Field<Subject>& field : fields)
    if (!field.name.empty()) values.push_back(csv_value(field.value(subject)));
}

} // namespace

std::string csv_text(const Results& results, const RunFacts& facts) {
  std::vector<std::string> names;
  add_names(names, side_fields());
  add_names(names, run_fields());
  std::string text = csv_line(names);
  for (const RowResult& row : results.rows)
    for (const Measurement* m : sides(row)) {
      std::vector<std::string> values;
      add_values(values, side_fields(), {results, row, *m});
      add_values(values, run_fields(), {results, facts});
      text += csv_line(values);
    }
  return text;
}

} // namespace ado::bench
