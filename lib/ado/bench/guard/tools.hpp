// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debuggers, profilers and sanitizers that watch this process.
#pragma once

namespace ado::bench {

/// Looks for tools' libraries in the process. Call it once the device is open: some come with it.
void find_tools();
/// Whether a sanitizer is built in or loaded, which explains faults itself.
bool has_sanitizer();
/// What watches the process now: ", for a debugger is attached"; null: nothing. Async-signal-safe.
const char* attached_tool();

} // namespace ado::bench
