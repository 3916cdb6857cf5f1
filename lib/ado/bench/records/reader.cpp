// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/shallow_json.hpp>
#include <ado/bench/records/reader.hpp>
#include <ado/bench/records/record_rules.hpp>
#include <ado/bench/report/fields.hpp>

#include <cmath>
#include <map>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

/// Reads one record; every message names the file and the place in it.
class Reader {
public:
  explicit Reader(const std::string& path) : path_(path) {}

  RunRecord read() const {
    const Json document = parse(read_file(path_));
    if (!document.is_object() || !document.contains("context") ||
        !document["context"].is_object() || !document["context"].contains("ado_version"))
      fail("is JSON, but not what --json writes: context.ado_version is missing");
    const Json& context = document["context"];
    if (context.value("record_version", Json(record_version)) != record_version)
      fail("its record_version is " + context["record_version"].dump() + ", this ado reads " +
           std::to_string(record_version) + "; read it with the ado that wrote it");
    RunRecord record;
    record.path = path_;
    record.date = text(context, "context", "date");
    for (const char* key : {"host_name", "cpu", "device", "backend"})
      record.machine.emplace_back(key, optional_text(context, "context", key));
    for (const char* key : {"ado_commit", "compiler", "compiler_flags", "kokkos_version"})
      record.build.emplace_back(key, optional_text(context, "context", key));
    if (context.contains("warnings")) {
      if (!context["warnings"].is_array()) fail("context.warnings is not an array");
      for (const Json& warning : context["warnings"])
        record.warnings.push_back(warning.is_string() ? warning.get<std::string>() : "");
    }
    if (!document.contains("benchmarks") || !document["benchmarks"].is_array())
      fail("benchmarks is missing or not an array");
    add_entries(record, document["benchmarks"].get_ref<const Json::array_t&>(),
                context.contains("torch"));
    return record;
  }

private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(path_ + ": " + what); }

  Json parse(const std::string& bytes) const {
    try {
      return parse_printable_json(bytes);
    } catch (const Json::parse_error& error) {
      fail("is not JSON (byte " + std::to_string(error.byte) + ")");
    } catch (const Json::exception&) { // a number beyond all doubles
      fail("is not JSON that can be read");
    } catch (const Error& error) {
      fail(error.what());
    }
  }

  std::string text(const Json& object, const std::string& where, const char* key) const {
    if (!object.contains(key) || !object[key].is_string())
      fail(where + "." + key + " is missing or not a text");
    return object[key].get<std::string>();
  }
  std::string optional_text(const Json& object, const std::string& where, const char* key) const {
    return object.contains(key) ? text(object, where, key) : "unknown";
  }

  double seconds(const Json& entry, const std::string& where) const {
    static const std::map<std::string, double> units{
        {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    const auto unit = units.find(text(entry, where, "time_unit"));
    if (unit == units.end()) fail(where + ".time_unit is none of s, ms, us and ns");
    if (!entry.contains("real_time") || !entry["real_time"].is_number())
      fail(where + ".real_time is missing or not a number");
    const double value = entry["real_time"].get<double>() * unit->second;
    if (!std::isfinite(value) || value <= 0) fail(where + ".real_time is not above 0");
    return value;
  }

  /// The first entry of a variant names them.
  static std::string conditions(const Json& entry) {
    std::string text;
    const auto add = [&](const char* key, const Json& value, const char* words) {
      if (entry.value(key, Json()) == value)
        text += (text.empty() ? "" : ", ") + std::string(words);
    };
    add("cold_cache", true, "cold caches");
    add("kokkos_tool", true, "a tool of Kokkos");
    if (entry.contains("streamed")) text += (text.empty() ? "" : ", ") + std::string("streamed");
    return text;
  }

  /// As far as it is known of each kernel.
  static std::string launched(const Json& entry) {
    std::string text;
    const Json launches = entry.value("launches", Json());
    if (!launches.is_array()) return text;
    for (const Json& kernel : launches) {
      if (!kernel.is_object()) continue;
      std::string of_kernel;
      for (const auto& [key, words] :
           {std::pair("registers", " registers"), std::pair("local_bytes", " local bytes"),
            std::pair("occupancy", " occupied")})
        if (const Json value = kernel.value(key, Json()); value.is_number())
          of_kernel +=
              (of_kernel.empty() ? "" : ", ") + number("%.3g", value.get<double>()) + words;
      text += (text.empty() ? "" : "; ") + of_kernel;
    }
    return text;
  }

  /// A wrong result takes precedence over other failures.
  static void add_failure(RecordedTimes& entry, const std::string& why) {
    const bool wrong = why.rfind("WRONG", 0) == 0;
    if (entry.failure.empty() || (wrong && !entry.wrong)) entry.failure = "failed: " + why;
    entry.wrong = entry.wrong || wrong;
  }

  static std::string place(std::size_t k) { return "benchmarks[" + std::to_string(k) + "]"; }

  /// The row whose first entry is the one at `k`.
  void add_row(RecordedTimes& entry, RunRecord& record, const RecordedRow& row,
               std::size_t k) const {
    const Json& first = row.entries[0];
    if (first.contains("error_occurred"))
      return add_failure(entry, text(first, place(k), "error_message"));
    entry.seconds.insert(entry.seconds.end(), row.seconds.begin(), row.seconds.end());
    if (first["verified"] == false) record.unverified = text(first, place(k), "reason");
  }

  /// Entries that ran in turn are listed in the order of the turns.
  static void add_ratios(RecordedTimes& portable, RecordedTimes& native, const RecordedRow& first,
                         const RecordedRow& second) {
    if (!first.entries[0].contains("native") || first.seconds.size() != second.seconds.size())
      return;
    for (std::size_t k = 0; k < first.seconds.size(); ++k)
      portable.over_native.push_back(first.seconds[k] / second.seconds[k]);
    native.is_reference = true;
  }

  RecordedRow row_of(std::span<const Json> entries, std::size_t k) const {
    RecordedRow row{entries, {}};
    if (entries[0].contains("error_occurred"))
      text(entries[0], place(k), "error_message");
    else
      for (const Json& entry : entries)
        row.seconds.push_back(seconds(entry, place(k++)));
    return row;
  }

  void add_entries(RunRecord& record, const Json::array_t& list, bool by_torch) const {
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (!list[k].is_object()) fail(place(k) + " is not an object");
      text(list[k], place(k), "name");
    }
    std::map<std::string, std::size_t> known;
    std::size_t k = 0, before = 0;
    RecordedRow row_before{};
    for (const std::span<const Json> entries : rows_in(list)) {
      const RecordedRow row = row_of(entries, k);
      if (const std::string wrong = contradiction(row, list[0], by_torch); !wrong.empty())
        fail(place(k) + "." + wrong + "; name a file that --json wrote");
      const std::string name = entries[0]["name"];
      const auto [found, is_new] = known.emplace(name, record.entries.size());
      if (is_new)
        record.entries.push_back(
            {name, {}, "", false, conditions(entries[0]), {}, launched(entries[0])});
      add_row(record.entries[found->second], record, row, k);
      if (!row_before.entries.empty())
        add_ratios(record.entries[before], record.entries[found->second], row_before, row);
      before = found->second;
      row_before = row;
      k += entries.size();
    }
    for (RecordedTimes& entry : record.entries)
      if (!entry.failure.empty()) entry.clear_times(); // right in one row, but not in another
  }

  const std::string& path_;
};

} // namespace

RunRecord read_record(const std::string& path) { return Reader(path).read(); }

} // namespace ado::bench
