// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/progress.hpp>
#include <ado/bench/processes/child_program.hpp>
#include <ado/bench/processes/processes.hpp>
#include <ado/bench/run/ceilings_file.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace ado::bench {
namespace {

/// For a process that another one started: the name for its files, "/tmp/ado-x1Y2z3/4".
constexpr const char* variable = "ADO_ONE_OF_PROCESSES";

void add(Measurement& m, const Measurement& other, std::size_t process) {
  if (m.variant == nullptr || !m.failure.empty()) return;
  if (!other.failure.empty()) {
    const Variant* const variant = m.variant;
    m = other;
    m.variant = variant;
    m.failure += ", in process " + std::to_string(process);
  }
  if (m.unverified.empty()) m.unverified = other.unverified;
  m.seconds.insert(m.seconds.end(), other.seconds.begin(), other.seconds.end());
  m.host_seconds.insert(m.host_seconds.end(), other.host_seconds.begin(), other.host_seconds.end());
  m.distinct_outputs = std::max(m.distinct_outputs, other.distinct_outputs);
  if (other.check.worst_bound_share > m.check.worst_bound_share) m.check = other.check;
}

std::optional<Ratio> ratio_in(const FinishedRow& other) {
  return portable_over_native(
      RowResult{.problem = {}, .name = {}, .portable = other.portable, .native = other.native});
}

} // namespace

bool measures_for_another() { return std::getenv(variable) != nullptr; }

void measure_for_another(Options& options) {
  if (!measures_for_another()) return;
  const std::string name = std::getenv(variable);
  options.processes = 1;
  options.json = name;
  options.ceilings = std::filesystem::path(name).replace_filename("ceilings");
  options.csv = options.markdown = options.timeline = "";
  options.outputs.clear();
  options.resume = options.diagnose = options.launches = options.stages = false;
}

OtherProcesses::OtherProcesses(const Options& options, const std::vector<std::string>& command_line,
                               const Ceilings& ceilings, const RunIdentity& machine) {
  if (options.processes < 2) return;
  const Places programs(std::filesystem::read_symlink("/proc/self/exe"));
  const TemporaryFolder folder;
  keep_ceilings(folder.file("ceilings"), machine, ceilings);
  const auto others = static_cast<std::size_t>(options.processes - 1);
  places_ = std::min(1 + others, programs.count());
  Progress progress(0, others, static_cast<double>(others));
  for (std::size_t k = 1; k <= others && interrupted() == 0; ++k) {
    progress.next("processes", 1);
    const std::string name = folder.file(std::to_string(k)), rows = name + ".partial";
    const int status = run_child({.path = programs.of_process(k),
                                  .arguments = command_line,
                                  .environment = {std::string(variable) + "=" + name},
                                  .output = name + ".out"});
    if (interrupted() != 0) return;
    if (!std::filesystem::exists(rows))
      throw Error("--processes: process " + std::to_string(k + 1) + " ended with status " +
                  std::to_string(status) + " and measured nothing: " + last_line(name + ".out"));
    rows_.push_back(Journal(rows, read_file(rows)).rows());
  }
}

void OtherProcesses::add_to(RowResult& row) {
  if (rows_.empty()) return;
  const std::string name = row_name(row.problem, row.name);
  const auto own = portable_over_native(row);
  std::vector<Ratio> ratios;
  if (own) ratios.push_back(*own);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (next_ >= rows_[k].size() || rows_[k][next_].name != name)
      throw Error("--processes: process " + std::to_string(k + 2) + " did not measure " + name);
    const FinishedRow& other = rows_[k][next_];
    if (const auto ratio = ratio_in(other)) ratios.push_back(*ratio);
    add(row.portable, other.portable, k + 2);
    add(row.native, other.native, k + 2);
  }
  ++next_;
  row.processes = ratios;
}

} // namespace ado::bench
