// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program begins anew in its own process (exec). After a fault no memory can be trusted, and a kernel that never
// ends goes only with its process; debuggers, profilers and launchers see one process all the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// First of all in main(): what a restart needs, and what the process was before.
void remember_start(char** argv);

/// Whether restart() began this program.
bool is_restarted();
/// What was handed to restart(), in all programs of this process.
std::vector<std::string> restart_notes();
/// What interrupted() was then; 0: nothing came.
int signal_before_restart();
/// The load of the host before the first of them began.
double load_before_restart();
/// A file in memory that stays over restarts, for a journal without a name; empty: there is none.
std::string kept_rows_path();

/// Makes restart() possible. `load_average`: of the host, as the first program of this process found it.
void prepare_restart(double load_average);
/// Why there can be no restart() now, for a message: ", for a debugger is attached"; it may be empty. Null: there can.
/// Async-signal-safe.
const char* no_restart_because();
/// Begins anew, with `note` among restart_notes(). Returns where it cannot. Async-signal-safe.
void restart(std::string_view note);

} // namespace ado
