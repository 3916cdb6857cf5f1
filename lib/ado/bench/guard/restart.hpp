// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Restarts the program in its own process (exec). After a fault memory cannot be trusted, and a
// hung kernel goes only with its process; debuggers, profilers and launchers still see one process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// Call first in main(): notes what a restart needs and what the process was before.
void remember_start(char** argv);

/// Whether restart() began this program.
bool is_restarted();
/// All notes given to restart(), in all programs of this process.
std::vector<std::string> restart_notes();
/// What interrupted() was then; 0: no signal.
int signal_before_restart();
/// The host's load before the first of them began.
double load_before_restart();
/// An in-memory file that survives restarts, for a journal without a name; empty: none.
std::string kept_rows_path();

/// Gives the calling thread the CPUs that the program began with: OpenMP's runtime may have bound
/// it to one, and a child would inherit that. Async-signal-safe.
void undo_binding();

/// Has exec close all descriptors but the standard streams: else the device stays in use, and its
/// kernel at work. Async-signal-safe.
void close_with_exec();

/// Makes restart() possible. `load_average`: the host's, as this process' first program found it.
void prepare_restart(double load_average);
/// Why restart() is impossible now, for a message: ", for a debugger is attached"; may be empty.
/// Null: it is possible. Async-signal-safe.
const char* no_restart_because();
/// Restarts with `note` among restart_notes(). Returns only if it cannot. Async-signal-safe.
void restart(std::string_view note);

} // namespace ado::bench
