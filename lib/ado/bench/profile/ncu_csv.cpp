// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/printable.hpp>
#include <ado/bench/profile/ncu_csv.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ado {
namespace {

using Fields = std::vector<std::string>;

constexpr const char* how_to_write =
    "; such a file comes from ncu --csv --page raw --log-file FILE, as miniapp --profile prints it";

// Every kernel keeps the names of its metrics, and shortening a kernel's name takes its length squared;
// ncu's names of metrics have some hundred characters, and those of Kokkos' kernels some thousand.
constexpr std::size_t longest_metric_name = 512, longest_kernel_name = 65536;

[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& what) {
  throw InputError(path + ":" + std::to_string(line) + ": " + what);
}

/// The fields of a line; a quote in a quoted field is doubled. False where a quote is not closed.
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

/// A number with or without separators between its thousands; nothing for "n/a", "nan" and text.
std::optional<double> number_in(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !(value - value == 0)) return std::nullopt;
  return value;
}

/// Seconds in a unit of time, else 1: all else that is looked at has no unit that ncu would scale.
double scale_of(const std::string& unit) {
  if (unit == "nsecond" || unit == "ns") return 1e-9;
  if (unit == "usecond" || unit == "us") return 1e-6;
  if (unit == "msecond" || unit == "ms") return 1e-3;
  return 1;
}

std::size_t column_of(const Fields& header, const char* name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

/// The table while it is read.
struct Table {
  std::string path;
  Fields header{}, units{};

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

  NcuKernel kernel(const Fields& fields, std::size_t line) const {
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
    for (std::size_t k = 0; k < header.size(); ++k)
      if (const auto value = number_in(fields[k]))
        kernel.metrics[header[k]] = *value * scale_of(units.empty() ? "" : units[k]);
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
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    line = printable(std::move(line)); // names of kernels are shown as they are
    if (line.empty() || line.starts_with("==")) continue;
    const bool closed = split(line, fields);
    if (fields[0] == "ID") {
      table.begin(fields, number);
      continue;
    }
    // What the program prints stands before the table; lines of the table begin with a quote.
    if (table.header.empty() || !line.starts_with('"')) continue;
    if (!closed) fail(path, number, "a quote is not closed; is the file cut off?");
    if (fields.size() != table.header.size())
      fail(path, number,
           std::to_string(fields.size()) + " fields, but the table's header has " +
               std::to_string(table.header.size()) + "; is the file cut off?");
    if (fields[0].empty())
      table.units = fields;
    else
      kernels.push_back(table.kernel(fields, number));
  }
  if (table.header.empty()) fail(path, number, std::string("no table of ncu") + how_to_write);
  if (kernels.empty())
    fail(path, number, std::string("the table has no kernel; was one launched?") + how_to_write);
  return kernels;
}

} // namespace ado
