// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table on the screen. A row is printed as soon as it is measured.
#pragma once

#include <ado/bench/report/fields.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

class ResultTable {
public:
  /// Prints what to know before reading any number, and the titles. `planned` outlives the table
  /// and has its rows, run or not: they decide which columns fit `columns`, and how wide. In
  /// colour, rows with a wrong result are red.
  ResultTable(std::ostream& out, const Results& planned, std::size_t columns = screen_columns,
              bool in_colour = false);
  void add(const RowResult& row);

private:
  std::ostream& out_;
  const Results& results_;
  bool in_colour_;
  std::vector<const Field<Side>*> columns_;
  TextTable table_;
  std::string group_; ///< the problem of the previous row
};

} // namespace ado::bench
