// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C and SIGTERM end a run between two measurements, so that nothing is lost.
#pragma once

namespace ado::bench {

/// From now on the first SIGINT and the first SIGTERM are only noted, unless the parent process had
/// them ignored; a second one ends the program as usual.
void note_interrupts();

/// The last signal noted; 0: none.
int interrupted();
/// As if that signal had come.
void note_interrupt(int signal);

} // namespace ado::bench
