// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs planned cases one after the other.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/bench/run/results.hpp>

#include <functional>
#include <vector>

namespace ado::bench {

/// What a row says if it was asked for and there is none.
std::string no_such_variant(const Case& c);

/// What run_cases() will return, with rows that have not run yet.
Results planned_results(const Options& options, const std::vector<Case>& cases, Device& device,
                        const Ceilings& ceilings);

/// For each case: makes or reads its data, runs its rows, compares with the reference on
/// `reference_device`, and writes --output files. A failure becomes a row with its reason; files
/// that can no longer be read or written throw InputError. Progress goes to stderr if that is a
/// terminal. Rows in `journal` do not run again; new ones are added to it. `show` is called with
/// each row as it comes. After interrupted() the results end with the last finished row.
Results run_cases(const Options& options, const std::vector<Case>& cases, Device& device,
                  Device& reference_device, const Ceilings& ceilings, Journal* journal = nullptr,
                  const std::function<void(RowResult&)>& show = {});

} // namespace ado::bench
