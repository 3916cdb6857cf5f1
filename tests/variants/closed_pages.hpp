// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of memory that are closed during a run; the first access to each is reported.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>

namespace ado::bench {

inline const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

inline void close_pages(void* begin, std::size_t bytes) { mprotect(begin, bytes, PROT_NONE); }
inline void open_pages(void* begin, std::size_t bytes) {
  mprotect(begin, bytes, PROT_READ | PROT_WRITE);
}

/// While it lives, `opens` is called with each faulting address to open its page; false: not its
/// page.
class PageFaults {
public:
  explicit PageFaults(bool (*opens)(void* address)) {
    asked = opens;
    struct sigaction mine = {};
    mine.sa_sigaction = [](int, siginfo_t* info, void*) {
      if (!asked(info->si_addr)) std::signal(SIGSEGV, SIG_DFL); // the fault repeats
    };
    mine.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &mine, &before_);
  }
  PageFaults(const PageFaults&) = delete;
  PageFaults& operator=(const PageFaults&) = delete;
  ~PageFaults() { sigaction(SIGSEGV, &before_, nullptr); }

private:
  inline static bool (*asked)(void*) = nullptr;
  struct sigaction before_ = {};
};

} // namespace ado::bench
