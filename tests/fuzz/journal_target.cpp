// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --resume: any bytes as the rows of an interrupted run, passed to all code that prints or writes
// results.
#include "../support/described_device.hpp"
#include "target.hpp"
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/records/markdown.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/result_table.hpp>
#include <ado/bench/report/summary.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/registry/registry.hpp>

#include <optional>
#include <sstream>

namespace {

const ado::bench::RunIdentity identity{{"commit", "0123abc"}, {"command line", "--rows 5"}};

/// The rows that run_cases() would have if these variants were planned.
ado::bench::Results results_of(const ado::bench::Journal& journal,
                               const ado::bench::Device& device) {
  ado::bench::Results results;
  results.device = &device;
  results.ceilings = *journal.ceilings();
  results.interrupted_runs = journal.dates();
  for (const ado::bench::FinishedRow& finished : journal.rows()) {
    ado::bench::RowResult row;
    row.portable = finished.portable;
    row.native = finished.native;
    row.reference = finished.reference;
    row.no_reference = finished.no_reference;
    row.name = finished.name;
    const ado::bench::Variant* variant = row.subject().variant;
    if (variant == nullptr) continue;
    const ado::bench::Algorithm* algorithm = ado::bench::find_algorithm(variant->algorithm);
    row.problem = {algorithm, {3, 5, 7}, algorithm->default_type};
    results.rows.push_back(std::move(row));
  }
  return results;
}

void report(const ado::bench::Results& results) {
  std::ostringstream out;
  ado::bench::ResultTable table(out, results);
  for (const ado::bench::RowResult& row : results.rows)
    table.add(row);
  ado::bench::print_summary(out, results);
  ado::bench::print_launches(out, results);
  const ado::bench::RunFacts facts = ado::bench::described_facts();
  ado::bench::json_text(results, facts);
  ado::bench::csv_text(results, facts);
  ado::bench::markdown_text(results, facts);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const ado::bench::DescribedDevice device(2, 1 << 20, std::size_t(1) << 32);
  const std::string path = folder.put("run.json.partial", fuzz::text_of(data, size));
  try {
    std::optional<ado::bench::Journal> journal(std::in_place, path, true, identity);
    const std::size_t rows = journal->rows().size();
    if (journal->ceilings()) report(results_of(*journal, device));
    const bool resumes = journal->ceilings().has_value();
    journal->begin(ado::bench::Ceilings{1, 2, 3, 4, 5, 6}, "now");
    if (!resumes) return 0;
    journal.reset();
    const ado::bench::Journal again(path, true, identity);
    fuzz::require(again.rows().size() == rows, "the rows stay when a run goes on");
    fuzz::require(again.dates().back() == "now", "the journal says when it went on");
  } catch (const ado::bench::InputError&) {
  }
  return 0;
}
