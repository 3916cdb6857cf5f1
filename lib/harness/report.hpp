// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the person sees: the machine, the ceilings, one table.
#pragma once

#include <ado/harness/ceilings.hpp>
#include <ado/harness/measure.hpp>
#include <ado/harness/plan.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado {

/// One measured row. `portable` and `native` have no variant where the row has none.
struct RowResult {
  Problem problem;
  std::string name;
  Measurement portable, native;
  std::string no_portable, no_native; ///< why a side is missing
};

/// Everything a run found out.
struct Results {
  const Device* device = nullptr;
  Ceilings ceilings;
  std::string reference;                 ///< name of the reference, empty: none
  std::vector<double> reference_seconds; ///< median of the reference, one a row; 0: it did not run
  std::vector<RowResult> rows;
};

void print_machine(std::ostream& out, const Device& device);
void print_ceilings(std::ostream& out, const Ceilings& ceilings);
void print_table(std::ostream& out, const Results& results);
/// --list: the variants by algorithm with what they teach, the backends and this machine.
void print_list(std::ostream& out, const Device& device);

/// "512x512x512".
std::string shape_text(const Problem& problem);

} // namespace ado
