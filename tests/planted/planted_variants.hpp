// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants that are broken, or nearly broken, on purpose, registered only in the program that links
// this file: what --selftest does not plant.
#pragma once

namespace ado::bench {

/// Counts runs of planted variants since it was last set to 0.
extern int planted_runs;

} // namespace ado::bench
