// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/host_ceilings.hpp>
#include <ado/harness/report.hpp>
#include <ado/harness/text_table.hpp>
#include <ado/harness/version.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <ostream>

namespace ado {
namespace {

std::string number(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Milliseconds with four significant digits.
std::string milliseconds(double seconds) {
  const double ms = seconds * 1e3;
  return number(ms >= 100 ? "%.1f" : ms >= 10 ? "%.2f" : ms >= 1 ? "%.3f" : "%.4f", ms);
}

std::string bytes_text(std::size_t bytes) {
  const double value = static_cast<double>(bytes);
  return value >= 1e9 ? number("%.1f GB", value / 1e9) : number("%.1f MB", value / 1e6);
}

struct SideCells {
  std::string time = "-", bandwidth = "-";
};

SideCells side_cells(const Measurement& m, const Traffic& traffic) {
  if (!m.verified() || m.seconds.empty()) return {};
  const double seconds = median(m.seconds);
  return {milliseconds(seconds), number("%.2f", traffic.bytes() / seconds / 1e9)};
}

/// What went wrong on either side, or that all is well.
std::string verdict(const RowResult& row) {
  std::string text;
  const auto add = [&](const char* side, const Measurement& m, const std::string& missing) {
    std::string words = m.failure.empty() ? missing : m.failure;
    if (!words.empty()) text += (text.empty() ? "" : "; ") + std::string(side) + ": " + words;
  };
  add("portable", row.portable, row.no_portable);
  add("native", row.native, row.no_native);
  const bool both_failed = !row.portable.verified() && !row.native.verified();
  if (text.empty()) return "verified";
  return both_failed ? text : "verified; " + text;
}

std::string problem_text(const Problem& problem) {
  return std::string(problem.algorithm->name) + " " + shape_text(problem) + " " +
         std::string(name_of(problem.type));
}

std::string size_or_unknown(std::size_t bytes) {
  return bytes == 0 ? "unknown" : bytes_text(bytes);
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

std::vector<std::string> table_row(const Results& results, std::size_t index) {
  const RowResult& row = results.rows[index];
  const Traffic traffic = row.problem.algorithm->traffic(row.problem.shape, row.problem.type);
  const SideCells portable = side_cells(row.portable, traffic);
  const SideCells native = side_cells(row.native, traffic);
  const bool both = !row.portable.seconds.empty() && !row.native.seconds.empty();
  std::vector<std::string> cells{
      row.name,
      portable.time,
      portable.bandwidth,
      native.time,
      native.bandwidth,
      both ? number("%.3f", median(row.portable.seconds) / median(row.native.seconds)) : "-"};
  // The row's own subject: the portable side where there is one.
  const Measurement& subject = row.portable.seconds.empty() ? row.native : row.portable;
  if (subject.seconds.empty()) {
    cells.insert(cells.end(), {"-", "-"});
  } else {
    const double seconds = median(subject.seconds);
    const double limit = std::max(results.ceilings.memory_seconds(traffic),
                                  results.ceilings.compute_seconds(traffic, row.problem.type));
    cells.push_back(number("%.2f", limit / seconds) + (limit > seconds ? "!" : ""));
    cells.emplace_back(estimate_limiter(results.ceilings, traffic, row.problem.type, seconds));
  }
  if (!results.device->on_host)
    cells.push_back(subject.with_transfers > 0 ? milliseconds(subject.with_transfers) : "-");
  if (!results.reference.empty()) {
    const double reference = results.reference_seconds[index];
    const bool comparable = reference > 0 && !subject.seconds.empty();
    cells.push_back(comparable ? number("%.2f", reference / median(subject.seconds)) : "-");
    cells.push_back(comparable ? number("%.2g", subject.max_difference) : "-");
  }
  cells.push_back(verdict(row));
  return cells;
}

} // namespace

std::string shape_text(const Problem& problem) {
  std::string text;
  for (std::size_t k = 0; k < problem.algorithm->sizes.size(); ++k)
    text += (k == 0 ? "" : "x") + std::to_string(problem.shape[k]);
  return text;
}

void print_machine(std::ostream& out, const Device& device) {
  out << version_text() << ", " << build_compiler() << " " << build_flags() << '\n'
      << "CPU      " << cpu_name() << ", last-level cache "
      << size_or_unknown(host_last_level_cache()) << '\n'
      << "device   " << device.description << ", " << bytes_text(device.memory_bytes) << " free\n";
  if (device.on_host && std::getenv("OMP_PROC_BIND") == nullptr)
    out << "         threads are not bound to cores: set OMP_PROC_BIND=spread OMP_PLACES=threads\n";
}

void print_ceilings(std::ostream& out, const Ceilings& c) {
  out << "ceilings " << number("read %.1f, ", c.read / 1e9) << number("write %.1f, ", c.write / 1e9)
      << number("copy %.1f GB/s", c.copy / 1e9) << number("; f32 %.0f, ", c.flops_f32 / 1e9)
      << number("f64 %.0f GFLOP/s", c.flops_f64 / 1e9)
      << number("; empty kernel %.1f us", c.launch * 1e6) << "\n";
}

void print_table(std::ostream& out, const Results& results) {
  std::vector<TextTable::Column> columns{
      {"variant"},    {"portable ms", true},     {"GB/s", true},       {"native ms", true},
      {"GB/s", true}, {"portable/native", true}, {"of ceiling", true}, {"limiter (estimated)"}};
  if (!results.device->on_host) columns.push_back({"with transfers ms", true});
  if (!results.reference.empty()) {
    columns.push_back({"speedup", true});
    columns.push_back({"max difference", true});
  }
  columns.push_back({"verdict"});
  TextTable table(columns);
  std::string group;
  for (std::size_t index = 0; index < results.rows.size(); ++index) {
    const std::string problem = problem_text(results.rows[index].problem);
    if (problem != group) {
      if (index != 0) table.add_gap();
      table.add_title(problem);
    }
    group = problem;
    table.add(table_row(results, index));
  }
  table.print(out);
  if (!results.reference.empty())
    out << "\nspeedup and max difference: against " << results.reference << '\n';
}

void print_list(std::ostream& out, const Device& device) {
  for (const Algorithm& algorithm : algorithms()) {
    out << algorithm.name << ": " << algorithm.formula << '\n';
    TextTable table({{"  variant"}, {"model"}, {"backend"}, {"what it is"}});
    for (const Variant& v : variants())
      if (v.algorithm == algorithm.name)
        table.add({"  " + std::string(v.name), std::string(name_of(v.model)),
                   std::string(v.backend), std::string(v.summary)});
    table.print(out);
    out << '\n';
  }
  out << "backends";
  for (const std::string& name : backend_names())
    out << ' ' << name;
  out << '\n';
  print_machine(out, device);
}

} // namespace ado
