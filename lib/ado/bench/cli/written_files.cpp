// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/written_files.hpp>
#include <ado/bench/io/files.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

/// Whether a picture of one of several variants could have that name: "run_kokkos_team.svg" for
/// run.svg. A trace is a single file.
bool may_be_timeline(const std::string& timeline, const std::string& other) {
  if (timeline.ends_with(".json")) return false;
  const auto a = whole_path(timeline), b = whole_path(other);
  return a.parent_path() == b.parent_path() && a.extension() == b.extension() &&
         b.stem().string().starts_with(a.stem().string() + "_");
}

} // namespace

NamedFiles asked_for(const NamedFiles& records) {
  NamedFiles files;
  std::string on_stdout;
  for (const auto& [option, path] : records) {
    if (path.empty()) continue;
    if (path == "-" && !on_stdout.empty())
      throw UsageError(option + " -: " + on_stdout + " already goes to stdout; name a file");
    if (path == "-") on_stdout = option;
    files.emplace_back(option, path);
  }
  return files;
}

NamedFiles record_files(const Options& o) {
  return asked_for({{"--json", o.json}, {"--csv", o.csv}, {"--markdown", o.markdown}});
}

bool takes_stdout(const NamedFiles& records) {
  return std::any_of(records.begin(), records.end(),
                     [](const auto& file) { return file.second == "-"; });
}

void check_written(const NamedFiles& written, NamedFiles named) {
  for (const auto& [option, file] : written) {
    if (file == "-") continue;
    for (const auto& [other, other_file] : named)
      if (same_file(file, other_file) ||
          (option == "--timeline" && may_be_timeline(file, other_file)) ||
          (other == "--timeline" && may_be_timeline(other_file, file)))
        throw UsageError(option + ": " + file + " is also the file of " + other + ", " +
                         other_file + "; name another file");
    named.emplace_back(option, file);
    const OutputFile probe(file); // leaves no file behind
  }
}

void check_files(const Options& o) {
  NamedFiles written = record_files(o), named;
  if (!o.json.empty() && o.json != "-")
    written.emplace_back("the rows so far of --json", o.json + ".partial");
  if (!o.ceilings.empty()) written.emplace_back("--ceilings", o.ceilings);
  if (o.timeline == "-") throw UsageError("--timeline -: pictures go to files; name one");
  if (!o.timeline.empty()) written.emplace_back("--timeline", o.timeline);
  for (const auto& [array, file] : o.outputs)
    written.emplace_back("--output " + array, file);
  for (const auto& [array, file] : o.inputs)
    named.emplace_back("--input " + array, file);
  check_written(written, std::move(named));
}

} // namespace ado::bench
