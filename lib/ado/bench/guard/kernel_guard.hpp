// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that faults, or does not end, costs its own row alone: the program restarts (restart.hpp), and the one that
// goes on knows which variant of which row not to run.
#pragma once

#include <ado/core/variant.hpp>

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

namespace ado {

/// Variants that run from now on belong to that row, and none has run in it yet.
void enter_row(std::string_view name);

/// What that variant did in this row before a restart; empty: no harm.
std::string known_fault(const Variant& variant);

/// " in kokkos/tuned, row yax/...": of what runs now, or ran last, for messages.
std::string running_kernel();

/// Ends the process, or restarts it, because of the variant that ran last: its device is lost.
[[noreturn]] void end_kernel(const std::string& why);

/// A call of a variant and the wait for its end, by the host's clock. What a kernel's time holds lies inside.
class KernelRun {
public:
  explicit KernelRun(const Variant& variant);
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;
  ~KernelRun();
  /// It has done a part of its work, and the time for the next one begins.
  static void proceeds();
};

/// From its construction on faults of kernels are told, and a thread looks whether they end.
class KernelGuard {
public:
  struct Settings {
    double timeout = 0;   ///< seconds for a run
    bool verbose = false; ///< shows backtraces
    std::string rank{};   ///< "rank 1 (host): ", where there are several
    std::string kept{};   ///< what is left of the run where it cannot go on, for the message
    std::function<void()> interrupted{}; ///< says what is left where a signal ends a run that hangs
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
  bool over_ = false; ///< under the mutex
  std::thread thread_;
};

} // namespace ado
