// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --resume: the rows of an interrupted run, and all that prints or writes results, fed with them.
#include "../support/described_device.hpp"
#include "target.hpp"
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/records/markdown.hpp>
#include <ado/bench/records/p3.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/result_table.hpp>
#include <ado/bench/report/summary.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/core/registry.hpp>

#include <optional>
#include <sstream>

namespace {

const ado::RunIdentity identity{{"commit", "0123abc"}, {"command line", "--rows 5"}};

/// The rows as run_cases() would have them, had the plan these variants.
ado::Results results_of(const ado::Journal& journal, const ado::Device& device) {
  ado::Results results;
  results.device = &device;
  results.ceilings = *journal.ceilings();
  results.interrupted_runs = journal.dates();
  for (const ado::FinishedRow& finished : journal.rows()) {
    ado::RowResult row;
    row.portable = finished.portable;
    row.native = finished.native;
    row.reference = finished.reference;
    row.no_reference = finished.no_reference;
    row.name = finished.name;
    const ado::Variant* variant = row.subject().variant;
    if (variant == nullptr) continue;
    const ado::Algorithm* algorithm = ado::find_algorithm(variant->algorithm);
    row.problem = {algorithm, {3, 5, 7}, algorithm->default_type};
    results.rows.push_back(std::move(row));
  }
  return results;
}

void report(const ado::Results& results) {
  std::ostringstream out;
  ado::ResultTable table(out, results);
  for (const ado::RowResult& row : results.rows)
    table.add(row);
  ado::print_summary(out, results);
  ado::print_launches(out, results);
  const ado::RunFacts facts = ado::described_facts();
  ado::json_text(results, facts);
  ado::csv_text(results, facts);
  ado::markdown_text(results, facts);
  ado::p3_csv_text(results, facts);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const ado::DescribedDevice device(2, 1 << 20, std::size_t(1) << 32);
  const std::string path = folder.put("run.json.partial", fuzz::text_of(data, size));
  try {
    std::optional<ado::Journal> journal(std::in_place, path, true, identity);
    const std::size_t rows = journal->rows().size();
    if (journal->ceilings()) report(results_of(*journal, device));
    const bool resumes = journal->ceilings().has_value();
    journal->begin(ado::Ceilings{1, 2, 3, 4, 5, 6}, "now");
    if (!resumes) return 0;
    journal.reset();
    const ado::Journal again(path, true, identity);
    fuzz::require(again.rows().size() == rows, "the rows stay when a run goes on");
    fuzz::require(again.dates().back() == "now", "the journal says when it went on");
  } catch (const ado::InputError&) {
  }
  return 0;
}
