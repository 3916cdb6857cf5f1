// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table on the screen. A row is printed as soon as it is measured.
#pragma once

#include <ado/bench/report/fields.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace ado {

class ResultTable {
public:
  /// Prints what has to be known before any number is read, and the titles. `planned` outlives the table
  /// and has its rows, which may have run or not: they decide which columns fit `columns`, and how wide
  /// these are. In colour rows with a wrong result are red.
  ResultTable(std::ostream& out, const Results& planned, std::size_t columns = screen_columns,
              bool in_colour = false);
  void add(const RowResult& row);

private:
  std::ostream& out_;
  const Results& results_;
  bool in_colour_;
  std::vector<const Field<Side>*> columns_;
  TextTable table_;
  std::string group_; ///< the problem of the row before
};

} // namespace ado
