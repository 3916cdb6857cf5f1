// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/interrupt.hpp>

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace ado::bench {
namespace {

std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free, "else a signal handler must not use it");

extern "C" void note(int signal) { noted = signal; }

} // namespace

void note_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(signal, &action, nullptr);
  }
}

int interrupted() { return noted; }
void note_interrupt(int signal) { noted = signal; }

} // namespace ado::bench
