// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C and SIGTERM end a run between two measurements, so that nothing of it is lost.
#pragma once

namespace ado {

/// From now on the first SIGINT and the first SIGTERM are only noted, unless the program's parent had
/// them ignored; a second one ends the program as usual.
void note_interrupts();

/// The signal that was noted last; 0: none.
int interrupted();
/// As if it had come.
void note_interrupt(int signal);

} // namespace ado
