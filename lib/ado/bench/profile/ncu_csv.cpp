// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/printable.hpp>
#include <ado/bench/profile/ncu_csv.hpp>
#include <ado/bench/profile/ncu_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ado::bench {
namespace {

using Fields = std::vector<std::string>;

constexpr const char* how_to_write =
    "; such a file comes from ncu --csv --page raw --log-file FILE, as miniapp --profile prints it";

constexpr const char* how_to_mend =
    "; write the file anew with LC_ALL=C ncu --print-units base ...";

// Every kernel keeps its metrics' names, and shortening a kernel's name takes quadratic time. ncu's
// metric names have some hundred characters, Kokkos' kernel names some thousand.
constexpr std::size_t longest_metric_name = 512, longest_kernel_name = 65536;

[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& what) {
  throw InputError(path + ":" + std::to_string(line) + ": " + what);
}

/// The fields of a line; quotes in a quoted field are doubled. False: a quote is not closed.
bool split(const std::string& line, Fields& fields) {
  fields.assign(1, "");
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      fields.back() += line[++k];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return !quoted;
}

std::size_t column_of(const Fields& header, const char* name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

/// Metrics begin with a lower-case letter, other columns such as Kernel Name do not.
bool is_metric(const std::string& column) {
  return !column.empty() && column[0] >= 'a' && column[0] <= 'z';
}
bool is_per_cent(const std::string& metric) { return metric.find("pct") != metric.npos; }
bool is_duration(const std::string& metric) { return metric.starts_with("gpu__time_duration"); }

/// Why numbers of that metric cannot be understood; empty: they can.
std::string wrong_unit(const std::string& metric, const std::string& unit) {
  const bool counts_bytes = metric.ends_with("_bytes.sum");
  const char* kind = is_duration(metric) && !is_time(unit)              ? "time"
                     : counts_bytes && !unit.empty() && !is_bytes(unit) ? "bytes"
                     : is_per_cent(metric) && !unit.empty() && unit[0] != '%'
                         ? "per cent" // "%/register" is how occupancy would change
                         : nullptr;
  return kind == nullptr ? "" : "its unit, \"" + unit + "\", is none of " + kind;
}

/// A metric that no GPU can reach, and why; empty: all is possible. ncu collects counters in
/// several runs, so together they may be off by some per cent. Hit rates then exceed 100 %, and so
/// do bytes per sector, which several lanes may read.
std::string contradiction(const NcuKernel& k) {
  constexpr double runs_differ = 1.1;
  constexpr double fastest_memory = 1e14; // bytes per second, ten times the fastest there is
  for (const auto& [name, value] : k.metrics) {
    if (name.find(".max.") != name.npos || name.find(".min.") != name.npos)
      continue; // of one unit, over the mean time of all: both may lie outside 0 to 100 %
    if (name.find("pct_of_peak") != name.npos && value > 100 * runs_differ)
      return name + " is " + number("%.6g %%, which is more than all", value);
    if (value < 0 && (is_per_cent(name) || name.ends_with(".sum")))
      return name + " is " + number("%.6g, less than nothing", value);
  }
  const std::string loads = "_pipe_lsu_mem_global_op_ld.sum",
                    stores = "_pipe_lsu_mem_global_op_st.sum";
  const std::string l1 = "memory_l1_wavefronts_shared", l2 = "memory_l2_theoretical_sectors_global";
  for (const auto& [part, whole] :
       {std::pair("l1tex__t_requests" + loads, "l1tex__t_sectors" + loads),
        std::pair("l1tex__t_requests" + stores, "l1tex__t_sectors" + stores),
        std::pair("derived__" + l1 + "_excessive", l1),
        std::pair("derived__" + l2 + "_excessive", l2)})
    if (k.metric(part) && k.metric(whole) && *k.metric(part) > runs_differ * *k.metric(whole))
      return part + number(" is %.6g, more than ", *k.metric(part)) + whole +
             number(", %.6g", *k.metric(whole));
  const auto seconds = k.metric("gpu__time_duration.sum"), bytes = k.metric("dram__bytes.sum");
  if (seconds && *seconds <= 0) return "gpu__time_duration.sum is " + number("%.6g s", *seconds);
  if (seconds && bytes && *bytes / *seconds > fastest_memory)
    return number("dram__bytes.sum is %.6g bytes", *bytes) +
           number(" in %.6g s, more than any memory moves", *seconds);
  return "";
}

/// The table while it is read.
struct Table {
  struct Row {
    std::size_t line;
    Fields fields;
  };
  std::string path;
  Fields header{}, units{};
  std::vector<Row> rows{};

  void begin(const Fields& fields, std::size_t line) {
    header = fields;
    units.clear(); // an earlier table may have had fewer columns
    if (column_of(header, "Metric Name") < header.size())
      fail(path, line, std::string("this is ncu's page of details") + how_to_write);
    if (column_of(header, "Kernel Name") == header.size())
      fail(path, line, std::string("the table has no column Kernel Name") + how_to_write);
    for (const std::string& name : header)
      if (name.size() > longest_metric_name)
        fail(path, line,
             "a column's name has " + std::to_string(name.size()) +
                 " characters; is this a file of ncu?");
  }

  [[noreturn]] void fail_at(std::size_t line, std::size_t column, const std::string& what) const {
    fail(path, line, "column " + header[column] + ": " + what + how_to_mend);
  }

  /// Whether its numbers have a decimal comma: one locale wrote them all.
  bool has_decimal_comma() const {
    const Row *shown_in = nullptr, *open_in = nullptr;
    std::size_t shown_at = 0, open_at = 0;
    Decimal shown = Decimal::none;
    for (const Row& row : rows)
      for (std::size_t k = 0; k < header.size(); ++k) {
        if (!is_metric(header[k])) continue;
        const std::string& text = row.fields[k];
        const Decimal decimal = decimal_of(text);
        if (decimal == Decimal::wrong) fail_at(row.line, k, "\"" + text + "\" is no number");
        if (decimal == Decimal::ambiguous && open_in == nullptr) {
          open_in = &row;
          open_at = k;
        }
        if (decimal != Decimal::point && decimal != Decimal::comma) continue;
        if (shown_in == nullptr) {
          shown_in = &row;
          shown_at = k;
          shown = decimal;
        } else if (decimal != shown) {
          fail_at(row.line, k,
                  "\"" + text + "\" and, in line " + std::to_string(shown_in->line) + ", \"" +
                      shown_in->fields[shown_at] + "\" are not of one locale");
        }
      }
    if (shown_in == nullptr && open_in != nullptr) {
      const std::string& text = open_in->fields[open_at];
      fail_at(open_in->line, open_at,
              "\"" + text + "\" may be " + number("%.15g", *number_of(text, false)) + " or " +
                  number("%.15g", *number_of(text, true)));
    }
    return shown == Decimal::comma;
  }

  /// Appends its kernels to those of earlier tables.
  void end(std::vector<NcuKernel>& kernels) {
    const bool comma = has_decimal_comma();
    for (const Row& row : rows) {
      kernels.push_back(kernel(row.fields, row.line, comma));
      if (const std::string wrong = contradiction(kernels.back()); !wrong.empty())
        fail(path, row.line,
             wrong + "; profile it again, with LC_ALL=C ncu --print-units base ...");
    }
    rows.clear();
  }

  NcuKernel kernel(const Fields& fields, std::size_t line, bool comma) const {
    NcuKernel kernel;
    const auto text = [&](const char* column) {
      const std::size_t at = column_of(header, column);
      return at < fields.size() ? fields[at] : std::string();
    };
    kernel.name = text("Kernel Name");
    if (kernel.name.size() > longest_kernel_name)
      fail(path, line,
           "the kernel's name has " + std::to_string(kernel.name.size()) +
               " characters; is this a file of ncu?");
    kernel.grid = text("Grid Size");
    kernel.block = text("Block Size");
    for (std::size_t k = 0; k < header.size(); ++k) {
      if (!is_metric(header[k]) || decimal_of(fields[k]) == Decimal::none) continue;
      const auto value = number_of(fields[k], comma);
      const std::string unit = units.empty() ? "" : units[k];
      if (const std::string wrong = wrong_unit(header[k], unit); !wrong.empty())
        fail_at(line, k, wrong);
      const bool uncounted = value == -1 && header[k].ends_with(".sum"); // as ncu writes it
      if (value && !uncounted && std::isfinite(*value * scale_of(unit)))
        kernel.metrics[header[k]] = *value * scale_of(unit);
    }
    return kernel;
  }
};

} // namespace

std::optional<double> NcuKernel::metric(const std::string& full) const {
  const auto found = metrics.find(full);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> NcuKernel::metric(std::initializer_list<const char*> synonyms) const {
  for (const char* synonym : synonyms)
    if (const auto value = metric(std::string(synonym))) return value;
  return std::nullopt;
}

std::vector<NcuKernel> read_ncu_csv(const std::string& path) {
  std::istringstream file(read_file(path));
  Table table{path};
  std::vector<NcuKernel> kernels;
  Fields fields;
  std::size_t line_number = 0;
  for (std::string line; std::getline(file, line);) {
    ++line_number;
    if (line.ends_with('\r')) line.pop_back();
    line = printable(std::move(line)); // names of kernels are shown as they are
    if (line.empty() || line.starts_with("==")) continue;
    const bool closed = split(line, fields);
    if (fields[0] == "ID") {
      table.end(kernels);
      table.begin(fields, line_number);
      continue;
    }
    // The program's output precedes the table, whose lines begin with a quote.
    if (table.header.empty() || !line.starts_with('"')) continue;
    if (!closed) fail(path, line_number, "a quote is not closed; is the file cut off?");
    if (fields.size() != table.header.size())
      fail(path, line_number,
           std::to_string(fields.size()) + " fields, but the table's header has " +
               std::to_string(table.header.size()) + "; is the file cut off?");
    if (fields[0].empty()) {
      table.end(kernels);
      table.units = fields;
    } else {
      table.rows.push_back({line_number, fields});
    }
  }
  table.end(kernels);
  if (table.header.empty()) fail(path, line_number, std::string("no table of ncu") + how_to_write);
  if (kernels.empty())
    fail(path, line_number,
         std::string("the table has no kernel; was one launched?") + how_to_write);
  return kernels;
}

} // namespace ado::bench
