// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people see: the machine, the ceilings, one table, and the answer.
#pragma once

#include <ado/bench/run/results.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

struct Options;

/// An algorithm and its selected variants, in the order in which a run shows them.
struct Listed {
  const Algorithm* algorithm;
  std::vector<const Variant*> variants;
};
/// What --list shows; algorithms without a selected variant are left out.
std::vector<Listed> listed_variants(const Options& options, const Device& device);

void print_machine(std::ostream& out, const Device& device);
void print_ceilings(std::ostream& out, const Ceilings& ceilings);
/// Whether the file descriptor is a terminal and NO_COLOR is not set.
bool takes_colour(int stream);
/// Columns of the terminal; screen_columns if it is none.
std::size_t columns_on(int stream);
/// "yax f64: rows 1000 x cols 1000".
std::string problem_name(const Problem& problem);
/// Follows it if rows are padded: ", row padding 3".
std::string padding_text(const Problem& problem);
/// The same with its bytes: "yax f64: rows 1000 x cols 1000, 8.0 MB".
std::string problem_text(const Problem& problem, const Results& results);
/// --list: the selected variants by algorithm with what they teach, the backends and this machine.
void print_list(std::ostream& out, const Options& options, const Device& device);

} // namespace ado::bench
