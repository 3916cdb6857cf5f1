// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/bench/report/result_table.hpp>
#include <ado/bench/report/summary.hpp>

#include <sstream>
#include <string>

namespace ado::bench {

/// The table of finished results and the text after it.
inline std::string screen_of(const Results& results, bool in_colour = false,
                             std::size_t columns = 200) {
  std::ostringstream out;
  ResultTable table(out, results, columns, in_colour);
  for (const RowResult& row : results.rows)
    table.add(row);
  print_summary(out, results);
  return out.str();
}

/// The printed text, with runs of spaces and line ends collapsed.
inline std::string unwrapped(const std::string& printed) {
  std::istringstream words(printed);
  std::string text;
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

} // namespace ado::bench
