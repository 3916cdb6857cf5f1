// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cases a command line asks for.
#pragma once

#include <ado/harness/ceilings.hpp>
#include <ado/harness/data.hpp>
#include <ado/harness/options.hpp>
#include <ado/harness/workbench.hpp>

#include <string>
#include <vector>

namespace ado {

/// A row of the report: a portable variant and its native twin, or one of them alone.
struct Row {
  std::string name;
  const Variant* portable = nullptr;
  const Variant* native = nullptr;
};

/// One problem and its rows.
struct Case {
  Problem problem;
  InputFiles files;
  std::vector<Row> rows;
};

/// The cases, in the order of the options. Sizes that are not given are the classic ones where they
/// fit the device, on a host as many elements as it reads in about 30 ms, but at least four times
/// its last-level cache. Throws UsageError or InputError where options contradict each other.
std::vector<Case> plan_cases(const Options& options, const Device& device,
                             const Ceilings& ceilings);

/// The registered variant, or null. `backend` is that of portable variants.
const Variant* find_variant(std::string_view algorithm, std::string_view model,
                            std::string_view name, std::string_view backend);

} // namespace ado
