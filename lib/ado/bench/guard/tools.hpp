// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debuggers, profilers and sanitizers that watch this process.
#pragma once

namespace ado {

/// Looks which libraries were put into the process. Once the device is open, for some come with it.
void find_tools();
/// Whether it was built for a sanitizer, or has one loaded, which explains faults itself.
bool has_sanitizer();
/// What watches the process now: ", for a debugger is attached"; null: nothing does. Async-signal-safe.
const char* attached_tool();

} // namespace ado
