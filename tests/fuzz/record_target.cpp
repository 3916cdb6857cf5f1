// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp compare: two records of --json in one input, separated by a byte 0x1e; a single record is
// compared with itself.
#include "target.hpp"
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_report.hpp>

#include <cmath>
#include <sstream>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t middle = text.find('\x1e');
  try {
    const ado::bench::RunRecord a =
        ado::bench::read_record(folder.put("a.json", text.substr(0, middle)));
    const ado::bench::RunRecord b =
        middle == text.npos
            ? a
            : ado::bench::read_record(folder.put("b.json", text.substr(middle + 1)));
    for (const ado::bench::RecordedTimes& entry : a.entries)
      for (const double seconds : entry.seconds)
        fuzz::require(std::isfinite(seconds) && seconds > 0, "times are positive numbers");
    const ado::bench::CompareRule rule{.several = size % 2 == 1};
    if (rule.several) fuzz::require(!ado::bench::merged({a, b}).path.empty(), "two runs make one");
    const ado::bench::Comparison comparison = ado::bench::compare(a, b, rule);
    for (const ado::bench::ComparedCase& one : comparison.cases)
      fuzz::require(!std::isnan(one.estimate.value), "a ratio of times is a number");
    std::ostringstream out;
    ado::bench::print_comparison(out, a, b, comparison, rule);
    for (const char c : out.str())
      fuzz::require(c == '\n' || static_cast<unsigned char>(c) >= ' ',
                    "no control character of a file reaches the terminal");
  } catch (const ado::bench::InputError&) {
  }
  return 0;
}
