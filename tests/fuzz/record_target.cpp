// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp compare: two records of --json in one input, with a byte 0x1e between them; without it
// the one record is compared with itself.
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
    const ado::RunRecord a = ado::read_record(folder.put("a.json", text.substr(0, middle)));
    const ado::RunRecord b =
        middle == text.npos ? a : ado::read_record(folder.put("b.json", text.substr(middle + 1)));
    for (const ado::RecordedTimes& entry : a.entries)
      for (const double seconds : entry.seconds)
        fuzz::require(std::isfinite(seconds) && seconds > 0, "times are positive numbers");
    const ado::CompareRule rule{.several = size % 2 == 1};
    if (rule.several) fuzz::require(!ado::merged({a, b}).path.empty(), "two runs make one");
    const ado::Comparison comparison = ado::compare(a, b, rule);
    for (const ado::ComparedCase& one : comparison.cases)
      fuzz::require(!std::isnan(one.estimate.value), "a ratio of times is a number");
    std::ostringstream out;
    ado::print_comparison(out, a, b, comparison, rule);
    for (const char c : out.str())
      fuzz::require(c == '\n' || static_cast<unsigned char>(c) >= ' ',
                    "no control character of a file reaches the terminal");
  } catch (const ado::InputError&) {
  }
  return 0;
}
