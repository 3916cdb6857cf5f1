// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that faults or hangs costs only its own row: the program restarts (restart.hpp) and
// knows which variant of which row not to run.
#pragma once

#include <ado/registry/variant.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace ado::bench {

/// Variants that run from now on belong to that row; none has run in it yet.
void enter_row(std::string_view name);

/// What that variant did in this row before a restart; empty: no harm.
std::string known_fault(const Variant& variant);

/// " in kokkos/tuned, row yax/...": what runs now or ran last, for messages.
std::string running_kernel();

/// Ends or restarts the process because the last variant has lost its device.
[[noreturn]] void end_kernel(const std::string& why);

/// A variant's call and the wait for its end, by the host's clock. All timed work lies inside.
class KernelRun {
public:
  explicit KernelRun(const Variant& variant);
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;
  ~KernelRun();
  /// Part of the work is done; the time for the next part begins.
  static void proceeds();
};

/// Once constructed, it reports faults of kernels, and a thread watches for hangs.
class KernelGuard {
public:
  struct Settings {
    double timeout = 0;   ///< seconds allowed for a run
    bool verbose = false; ///< show backtraces
    std::string rank{};   ///< "rank 1 (host): ", if there are several
    std::string kept{};   ///< what is left of the run if it cannot go on, for the message
    std::function<void()> interrupted{}; ///< says what is left if a signal ends a hung run
  };
  explicit KernelGuard(Settings settings);
  KernelGuard(const KernelGuard&) = delete;
  KernelGuard& operator=(const KernelGuard&) = delete;
  ~KernelGuard();

private:
  void look();
  void end_hung();
  void end_interrupted();

  Settings settings_;
  std::terminate_handler terminate_before_;
  std::streambuf* cerr_before_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false; ///< guarded by the mutex
  std::thread thread_;
};

} // namespace ado::bench
