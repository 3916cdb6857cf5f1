// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs planned cases one after the other.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/bench/run/results.hpp>

#include <functional>
#include <vector>

namespace ado {

/// Fills the inputs of a case: made data, and what --input names. Throws InputError.
void load_data(HostData& data, const Case& c, const Options& options);

/// The variant of --reference, on its device; null where none is asked for, or there is none.
const Variant* reference_variant(const Case& c, const Options& options, const Device& device);
/// What a row says then.
std::string no_such_variant(const Case& c);

/// What run_cases() will return, with rows that have not run yet.
Results planned_results(const Options& options, const std::vector<Case>& cases, Device& device,
                        const Ceilings& ceilings);

/// Makes or reads the data of each case, runs its rows, compares with the reference, which runs on
/// `reference_device`, and writes --output files. What fails becomes a row with its reason; files
/// that can no longer be read or written throw InputError. Progress goes to stderr where that is a
/// terminal. Rows that `journal` has are not run again, and those that are go into it. `show` is called
/// with each row when it is there. After interrupted() the results end with the last row that was
/// finished.
Results run_cases(const Options& options, const std::vector<Case>& cases, Device& device,
                  Device& reference_device, const Ceilings& ceilings, Journal* journal = nullptr,
                  const std::function<void(const RowResult&)>& show = {});

} // namespace ado
