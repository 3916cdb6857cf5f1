// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/files.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/records/markdown.hpp>
#include <ado/bench/records/records.hpp>

#include <array>
#include <iostream>

namespace ado::bench {
namespace {

/// A format: the option that names its file, and the file's content.
struct Format {
  std::string Options::*path;
  std::string (*text)(const Results&, const RunFacts&);
};
constexpr std::array<Format, 3> formats{
    {{&Options::json, json_text}, {&Options::csv, csv_text}, {&Options::markdown, markdown_text}}};

} // namespace

void write_records(const Options& options, const Results& results, const RunFacts& facts) {
  for (const Format& format : formats)
    if (const std::string& path = options.*format.path; !path.empty())
      write_text(path, format.text(results, facts), std::cout);
}

} // namespace ado::bench
