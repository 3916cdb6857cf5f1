// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/written_files.hpp>
#include <ado/bench/io/files.hpp>

#include <algorithm>

namespace ado {
namespace {

/// Whether a picture of one of several variants could have that name: "run_kokkos_team.svg" of run.svg.
bool may_be_timeline(const std::string& timeline, const std::string& other) {
  const auto a = whole_path(timeline), b = whole_path(other);
  return a.parent_path() == b.parent_path() && a.extension() == b.extension() &&
         b.stem().string().starts_with(a.stem().string() + "_");
}

} // namespace

std::vector<std::pair<std::string, std::string>> record_files(const Options& options) {
  constexpr std::pair<const char*, std::string Options::*> records[] = {
      {"--json", &Options::json},
      {"--csv", &Options::csv},
      {"--markdown", &Options::markdown},
      {"--p3-csv", &Options::p3_csv}};
  std::vector<std::pair<std::string, std::string>> files;
  const char* on_stdout = nullptr;
  for (const auto& [option, member] : records) {
    const std::string& path = options.*member;
    if (path.empty()) continue;
    if (path == "-" && on_stdout != nullptr)
      throw UsageError(std::string(option) + " -: " + on_stdout +
                       " already goes to stdout; name a file");
    if (path == "-") on_stdout = option;
    files.emplace_back(option, path);
  }
  return files;
}

bool takes_stdout(const Options& options) {
  const auto files = record_files(options);
  return std::any_of(files.begin(), files.end(),
                     [](const auto& file) { return file.second == "-"; });
}

void check_files(const Options& o) {
  std::vector<std::pair<std::string, std::string>> written, named; // option, file
  for (const auto& [option, file] : record_files(o))
    if (file != "-") written.emplace_back(option, file);
  if (!o.json.empty() && o.json != "-")
    written.emplace_back("the rows so far of --json", o.json + ".partial");
  if (!o.ceilings.empty()) written.emplace_back("--ceilings", o.ceilings);
  if (o.timeline == "-") throw UsageError("--timeline -: pictures go to files; name one");
  if (!o.timeline.empty()) written.emplace_back("--timeline", o.timeline);
  for (const auto& [array, file] : o.outputs)
    written.emplace_back("--output " + array, file);
  for (const auto& [array, file] : o.inputs)
    named.emplace_back("--input " + array, file);
  for (const auto& [option, file] : written) {
    for (const auto& [other, other_file] : named)
      if (same_file(file, other_file) ||
          (option == "--timeline" && may_be_timeline(file, other_file)) ||
          (other == "--timeline" && may_be_timeline(other_file, file)))
        throw UsageError(option + ": " + file + " is also the file of " + other + ", " +
                         other_file + "; name another file");
    named.emplace_back(option, file);
    const OutputFile probe(file); // leaves nothing
  }
}

} // namespace ado
