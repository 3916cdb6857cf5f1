// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// python/ado_results/record.py has the same rules, and more for what its frames show.
#include <ado/bench/records/record_rules.hpp>
#include <ado/bench/stats/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

bool failed(const Json& entry) { return entry.contains("error_occurred"); }

bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b));
}

/// Whether an optional field, if present, is a number and satisfies `holds`.
template <class Holds>
bool number_holds(const Json& entry, const char* field, const Holds& holds) {
  const auto found = entry.find(field);
  return found == entry.end() || (found->is_number() && holds(found->get<double>()));
}
bool is_text_or_none(const Json& entry, const char* field) {
  const auto found = entry.find(field);
  return found == entry.end() || found->is_string();
}
bool is_flag_or_none(const Json& entry, const char* field) {
  const auto found = entry.find(field);
  return found == entry.end() || found->is_boolean();
}

template <class Holds>
bool all(const RecordedRow& row, const Holds& holds) {
  return std::all_of(row.entries.begin(), row.entries.end(), holds);
}
bool alike(const RecordedRow& row, const char* field) {
  const Json value = row.entries[0].value(field, Json());
  return all(row, [&](const Json& entry) { return entry.value(field, Json()) == value; });
}
/// Whether the field and seconds of each repetition satisfy `holds`.
template <class Holds>
bool each_holds(const RecordedRow& row, const char* field, const Holds& holds) {
  for (std::size_t k = 0; k < row.entries.size(); ++k)
    if (!number_holds(row.entries[k], field, [&](double value) { return holds(k, value); }))
      return false;
  return true;
}

/// The name is algorithm/model_variant/sizes/type, and fields repeat it.
bool says_what_it_is(const Json& entry) {
  for (const char* field : {"algorithm", "model", "variant", "type"})
    if (!is_text_or_none(entry, field))
      return false;
    else if (!entry.contains(field))
      return true;
  const auto word = [&](const char* field) { return entry[field].get<std::string>(); };
  const std::string name = word("name") + "/";
  const auto has = [&](const std::string& part) {
    return name.find("/" + part + "/") != name.npos;
  };
  if (name.rfind(word("algorithm") + "/" + word("model") + "_" + word("variant") + "/", 0) != 0 ||
      !has("type:" + word("type")))
    return false;
  const Json sizes = entry.value("sizes", Json::object());
  if (!sizes.is_object()) return false;
  for (const auto& [size, value] : sizes.items())
    if (!has(size + ":" + value.dump())) return false;
  return true;
}

bool verified(const RecordedRow& row) { return row.entries[0]["verified"] == true; }
/// JSON has no NaN, so a wrong result's NaN error is null.
double error_share(const RecordedRow& row) {
  const Json share = row.entries[0].value("share_of_error_bound", Json());
  return share.is_number() ? share.get<double>() : 0;
}

struct Rule {
  const char *field, *broken;
  bool (*holds)(const RecordedRow&);
};
/// Later rules rely on earlier ones.
constexpr Rule rules[] = {
    {"verified", "is missing, or neither true nor false",
     [](const RecordedRow& row) {
       return all(
           row, [](const Json& e) { return e.contains("verified") && e["verified"].is_boolean(); });
     }},
    {"verified", "is not alike in all repetitions",
     [](const RecordedRow& row) { return alike(row, "verified"); }},
    {"name", "is not that of algorithm, model, variant, sizes and type",
     [](const RecordedRow& row) { return all(row, says_what_it_is); }},
    {"share_of_error_bound", "is no number of 0 or more",
     [](const RecordedRow& row) {
       const Json& entry = row.entries[0];
       return number_holds(entry, "share_of_error_bound", [](double x) { return x >= 0; }) ||
              (failed(entry) && entry["share_of_error_bound"].is_null());
     }},
    {"streamed", "is no object",
     [](const RecordedRow& row) {
       return row.entries[0].value("streamed", Json::object()).is_object();
     }},
};
constexpr Rule rules_of_failures[] = {
    {"error_occurred", "is not true",
     [](const RecordedRow& row) { return row.entries[0]["error_occurred"] == true; }},
    {"error_message", "is empty",
     [](const RecordedRow& row) { return !row.entries[0].value("error_message", "").empty(); }},
    {"error_message", "does not say WRONG, and share_of_error_bound is above 1",
     [](const RecordedRow& row) {
       const std::string why = row.entries[0]["error_message"].get<std::string>();
       return why.find("WRONG") != why.npos || error_share(row) <= 1;
     }},
    {"real_time", "is there, and an error too",
     [](const RecordedRow& row) { return !row.entries[0].contains("real_time"); }},
    {"verified", "is true, and there is an error",
     [](const RecordedRow& row) { return !verified(row); }},
};
constexpr Rule rules_of_times[] = {
    {"portable_over_native", "is there, and no native",
     [](const RecordedRow& row) {
       return !row.entries[0].contains("portable_over_native") || row.entries[0].contains("native");
     }},
    {"error_message", "is there, and no error_occurred",
     [](const RecordedRow& row) {
       return all(row, [](const Json& entry) { return !entry.contains("error_message"); });
     }},
    {"reason", "is there and it is verified, or neither is",
     [](const RecordedRow& row) {
       return all(row, [](const Json& entry) {
         return is_text_or_none(entry, "reason") &&
                entry.value("reason", "").empty() == (entry["verified"] == true);
       });
     }},
    {"repetitions", "is not how many there are",
     [](const RecordedRow& row) {
       return each_holds(row, "repetitions", [&](std::size_t, double count) {
         return count == static_cast<double>(row.entries.size());
       });
     }},
    {"repetition_index", "does not count them",
     [](const RecordedRow& row) {
       return each_holds(row, "repetition_index", [](std::size_t k, double index) {
         return index == static_cast<double>(k);
       });
     }},
    {"iterations", "is 0, or not alike in all repetitions",
     [](const RecordedRow& row) {
       return alike(row, "iterations") &&
              number_holds(row.entries[0], "iterations", [](double count) { return count > 0; });
     }},
    {"bytes", "are not alike in all repetitions",
     [](const RecordedRow& row) {
       return alike(row, "bytes") &&
              number_holds(row.entries[0], "bytes", [](double bytes) { return bytes >= 0; });
     }},
    {"share_of_error_bound", "is above 1, and the result is verified",
     [](const RecordedRow& row) { return !verified(row) || error_share(row) <= 1; }},
    {"distinct_outputs", "is 0, and the result is verified",
     [](const RecordedRow& row) {
       return number_holds(row.entries[0], "distinct_outputs",
                           [&](double count) { return count > 0 || !verified(row); });
     }},
};
constexpr Rule rules_of_our_times[] = {
    {"bytes_per_second", "is not bytes over real_time",
     [](const RecordedRow& row) {
       return each_holds(row, "bytes_per_second", [&](std::size_t k, double rate) {
         return number_holds(row.entries[k], "bytes",
                             [&](double bytes) { return near(rate, bytes / row.seconds[k]); });
       });
     }},
    {"median_seconds", "is not that of the times",
     [](const RecordedRow& row) {
       return number_holds(row.entries[0], "median_seconds",
                           [&](double value) { return near(value, median(row.seconds)); });
     }},
};

std::string broken_by(std::span<const Rule> of, const RecordedRow& row) {
  for (const Rule& rule : of)
    if (!rule.holds(row)) return std::string(rule.field) + " " + rule.broken;
  return "";
}

} // namespace

std::vector<std::span<const Json>> rows_in(std::span<const Json> entries) {
  std::vector<std::span<const Json>> rows;
  std::size_t begin = 0;
  for (std::size_t k = 1; k <= entries.size(); ++k) {
    if (k < entries.size() && entries[k]["name"] == entries[k - 1]["name"] &&
        entries[k].value("repetition_index", Json()) != 0 && !failed(entries[k]) &&
        !failed(entries[k - 1]))
      continue;
    rows.push_back(entries.subspan(begin, k - begin));
    begin = k;
  }
  return rows;
}

std::string contradiction(const RecordedRow& row, const Json& first, bool by_torch) {
  std::string wrong = broken_by(rules, row);
  const bool has_failed = failed(row.entries[0]);
  if (wrong.empty())
    wrong = has_failed ? broken_by(rules_of_failures, row) : broken_by(rules_of_times, row);
  if (by_torch) return wrong;
  if (wrong.empty() && !has_failed) wrong = broken_by(rules_of_our_times, row);
  for (const char* field : {"cold_cache", "kokkos_tool"})
    if (const Json& entry = row.entries[0];
        wrong.empty() && (!is_flag_or_none(entry, field) ||
                          entry.value(field, Json()) != first.value(field, Json())))
      wrong = std::string(field) + " is not that of the other rows";
  return wrong;
}

} // namespace ado::bench
