// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/dry_run.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/bench/stream/streamed_data.hpp>

#include <algorithm>
#include <ostream>

namespace ado::bench {
namespace {

/// "fits", in how many slices, or why it does not fit.
std::string memory_text(const Case& c, const Device& device, std::size_t host_bytes) {
  const std::vector<const Variant*> variants = variants_of(c);
  if (std::string why = memory_shortage(c.problem, device, variants, host_bytes); !why.empty())
    return why;
  if (!is_streamed(c.problem, device)) return "fits";
  const std::vector<Source> sources = sources_of(c.problem, c.files.path);
  StreamFacts facts = planned_facts(
      cut_into_slices(c.problem, stream_limits(device, host_bytes), sources, variants));
  facts.reads_files = any_read(sources);
  return stream_note(facts);
}

} // namespace

void print_dry_run(std::ostream& out, const std::vector<Case>& cases, const Device& device) {
  TextTable table({{"case"}, {"rows", true}, {"moves", true}, {"needs", true}, {"memory"}});
  const std::size_t host_bytes = available_host_memory();
  for (const Case& c : cases) {
    const Problem& problem = c.problem;
    table.add({problem_name(problem), std::to_string(c.rows.size()),
               bytes_text(traffic_of(*problem.algorithm, problem.shape, problem.type).bytes()),
               bytes_text(memory_need(problem)), memory_text(c, device, host_bytes)});
  }
  table.print(out);
  out << "\n  rows   variants with their twins, or alone\n"
         "  moves  all inputs and outputs, moved once each, by one run of a variant\n"
         "  needs  all arrays, outputs twice; workspaces of variants come on top\n\n";
  print_case_count(out, cases, device);
}

void print_case_count(std::ostream& out, const std::vector<Case>& cases, const Device& device) {
  const Case& largest =
      *std::max_element(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
        return memory_need(a.problem) < memory_need(b.problem);
      });
  const std::size_t host_bytes = available_host_memory();
  const auto too_large = std::count_if(cases.begin(), cases.end(), [&](const Case& c) {
    return !memory_shortage(c.problem, device, variants_of(c), host_bytes).empty();
  });
  std::string text = counted(cases.size(), "case") + "; the largest, " +
                     problem_name(largest.problem) + ", needs " +
                     bytes_text(memory_need(largest.problem)) + " of memory";
  if (too_large > 0) text += "; " + std::to_string(too_large) + " will not fit and will not run";
  print_wrapped(out, text);
}

} // namespace ado::bench
