// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/files.hpp>
#include <ado/harness/record.hpp>

#include <algorithm>
#include <array>
#include <iostream>

namespace ado {
namespace {

/// A format: the option that asks for it and names the file, and what is in that.
struct Format {
  const char* option;
  std::string Options::*path;
  std::string (*text)(const Results&, const RunFacts&);
};
constexpr std::array<Format, 4> formats{{{"--json", &Options::json, json_text},
                                         {"--csv", &Options::csv, csv_text},
                                         {"--markdown", &Options::markdown, markdown_text},
                                         {"--p3-csv", &Options::p3_csv, p3_csv_text}}};

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

} // namespace

std::vector<std::pair<std::string, std::string>> record_files(const Options& options) {
  std::vector<std::pair<std::string, std::string>> files;
  const char* on_stdout = nullptr;
  for (const Format& format : formats) {
    const std::string& path = options.*format.path;
    if (path.empty()) continue;
    if (path == "-" && on_stdout != nullptr)
      throw UsageError(std::string(format.option) + " -: " + on_stdout +
                       " already goes to stdout; name a file");
    if (path == "-") on_stdout = format.option;
    files.emplace_back(format.option, path);
  }
  return files;
}

bool takes_stdout(const Options& options) {
  return std::any_of(formats.begin(), formats.end(),
                     [&](const Format& format) { return options.*format.path == "-"; });
}

void write_records(const Options& options, const Results& results, const RunFacts& facts) {
  for (const Format& format : formats)
    if (const std::string& path = options.*format.path; !path.empty())
      write_text(path, format.text(results, facts));
}

} // namespace ado
