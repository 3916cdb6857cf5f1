// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants that are broken on purpose, or nearly, registered in the program that links this file
// alone: what --selftest does not plant.
#pragma once

namespace ado {

/// How often any planted variant ran since this was last set to 0.
extern int planted_runs;

} // namespace ado
