// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/fault_text.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/guard/tools.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/registry/registry.hpp>

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

namespace ado::bench {
namespace {

/// Seconds to wait for a run that ignores a signal to end.
constexpr double patience_after_signal = 4;
constexpr int status_of_fault = 7;

FaultText row;                                 ///< a signal handler reads it
std::atomic<const Variant*> current = nullptr; ///< what runs, or ran last in this row
std::atomic<std::uint64_t> beat = 0;           ///< odd: a run is under way
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
std::atomic_flag is_ending;
const KernelGuard::Settings* settings = nullptr; ///< of the living guard

/// "kokkos/tuned"
void add_name(FaultText& text, const Variant& v) {
  text.add(name_of(v.model)).add("/").add(v.name);
}
/// Identifies a fault: a line up to its text.
void add_key(FaultText& text, const Variant& v) {
  text.add(row.view()).add("\t");
  add_name(text, v);
  text.add("@").add(v.backend).add("\t");
}

void show_backtrace() {
  std::array<void*, 64> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())),
                       STDERR_FILENO);
}

/// Restarts without the variant that ran last, if possible. Else reports what it did and returns;
/// on ranks all end. Returns at once if no variant is to blame. Async-signal-safe.
void tell_fault(const FaultText& what) {
  const Variant* const variant = current;
  if (variant == nullptr || settings == nullptr) return;
  if (is_ending.test_and_set())
    for (;;)
      pause(); // another thread reports another fault
  if (settings->verbose) show_backtrace();
  const char* why_not = no_restart_because();
  FaultText note;
  add_key(note, *variant);
  note.add(what.view());
  if (why_not == nullptr) restart(note.view());
  FaultText message;
  message.add(program_name).add(": ").add(settings->rank).add(what.view());
  message.add(", row ").add(row.view());
  message.add(settings->rank.empty() ? "; the run ends here" : "; all ranks end");
  if (why_not != nullptr) message.add(why_not);
  message.add(settings->kept).write_line(STDERR_FILENO);
  if (!settings->rank.empty()) _exit(status_of_fault);
}

/// "crashed: abort (SIGABRT) in kokkos/tuned"
FaultText crash(std::string_view why) {
  FaultText text;
  text.add("crashed: ").add(why).add(beat % 2 == 1 ? " in " : " after ");
  if (const Variant* variant = current) add_name(text, *variant);
  return text;
}

constexpr std::pair<int, std::string_view> signals[] = {{SIGSEGV, "segmentation fault (SIGSEGV)"},
                                                        {SIGBUS, "bus error (SIGBUS)"},
                                                        {SIGFPE, "arithmetic error (SIGFPE)"},
                                                        {SIGILL, "illegal instruction (SIGILL)"},
                                                        {SIGABRT, "abort (SIGABRT)"}};

extern "C" void on_signal(int signal, siginfo_t* info, void*) {
  // A signal from another process is no kernel's fault.
  if (info->si_code > 0 || info->si_pid == getpid()) {
    FaultText why;
    for (const auto& [number, name] : signals)
      if (number == signal) why.add(name);
    if (signal == SIGFPE && info->si_code == FPE_INTDIV)
      why = FaultText("division by zero (SIGFPE)");
    if (signal == SIGABRT) why.add_reason(last_words());
    tell_fault(crash(why.view()));
  }
  if (signal == SIGABRT && !last_words().empty()) FaultText(last_words()).write_line(STDERR_FILENO);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// For an exception that left a kernel's thread, or a destructor.
[[noreturn]] void on_terminate() {
  FaultText why("terminate");
  if (const std::exception_ptr thrown = std::current_exception()) try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      why = FaultText("exception");
      why.add_reason(error.what());
    } catch (...) {
      why = FaultText("exception of a type that is not std::exception");
    }
  tell_fault(crash(why.view()));
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

/// Gives each thread a stack for signal handlers: the fault may be a full stack.
void give_signal_stack() {
  constexpr std::size_t bytes = 1 << 16;
  static thread_local std::unique_ptr<char[]> memory;
  if (memory != nullptr) return;
  memory = std::make_unique<char[]>(bytes);
  stack_t stack{};
  stack.ss_sp = memory.get();
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
}

void handle_signals() {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const auto& [number, name] : signals)
    sigaction(number, &action, nullptr);
}

} // namespace

void enter_row(std::string_view name) {
  current = nullptr;
  row = FaultText(name);
  if (settings == nullptr || has_sanitizer()) return;
#pragma omp parallel // OpenMP's threads come and go
  give_signal_stack();
}

std::string known_fault(const Variant& variant) {
  if (!is_restarted()) return "";
  FaultText key;
  add_key(key, variant);
  for (const std::string& note : restart_notes())
    if (note.starts_with(key.view())) return note.substr(key.view().size());
  return "";
}

std::string running_kernel() {
  const Variant* const variant = current;
  if (variant == nullptr) return "";
  FaultText text(" in ");
  add_name(text, *variant);
  return std::string(text.add(", row ").add(row.view()).view());
}

void end_kernel(const std::string& why) {
  tell_fault(crash(why));
  _exit(status_of_fault);
}

KernelRun::KernelRun(const Variant& variant) {
  current.store(&variant, std::memory_order_relaxed);
  beat.store(beat.load(std::memory_order_relaxed) | 1, std::memory_order_relaxed);
}
KernelRun::~KernelRun() {
  beat.store(beat.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
void KernelRun::proceeds() {
  beat.store(beat.load(std::memory_order_relaxed) + 2, std::memory_order_relaxed);
}

KernelGuard::KernelGuard(Settings wanted)
    : settings_(std::move(wanted)),
      terminate_before_(std::get_terminate()),
      cerr_before_(std::cerr.rdbuf()) {
  find_tools();
  settings = &settings_;
  std::array<void*, 1> frame{};
  if (settings_.verbose)
    backtrace(frame.data(), 1); // the first call loads a library
  else
    std::cerr.rdbuf(keep_last_words(cerr_before_));
  if (!has_sanitizer()) {
    handle_signals();
    std::set_terminate(on_terminate);
  }
  thread_ = std::thread([this] { look(); });
}

KernelGuard::~KernelGuard() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
  for (const auto& [number, name] : signals)
    if (!has_sanitizer()) std::signal(number, SIG_DFL);
  std::set_terminate(terminate_before_);
  std::cerr.rdbuf(cerr_before_);
  settings = nullptr;
}

void KernelGuard::end_interrupted() {
  if (settings_.interrupted) settings_.interrupted();
  if (!settings_.rank.empty()) _exit(128 + interrupted());
  std::signal(interrupted(), SIG_DFL);
  std::raise(interrupted());
}

/// Ignores time in which the whole process was stopped: a step counts at most twice its length.
void KernelGuard::look() {
  using Clock = std::chrono::steady_clock;
  const double step = std::clamp(settings_.timeout / 10, 0.01, 1.0);
  std::uint64_t last = 0;
  double same = 0, since_signal = 0;
  std::unique_lock lock(mutex_);
  for (Clock::time_point before = Clock::now();
       !ended_.wait_for(lock, std::chrono::duration<double>(step), [&] { return over_; });) {
    const Clock::time_point now = Clock::now();
    const double passed = std::min(2 * step, std::chrono::duration<double>(now - before).count());
    before = now;
    const std::uint64_t here = beat.load(std::memory_order_relaxed);
    const bool hangs = here % 2 == 1 && here == last;
    last = here;
    since_signal = hangs && interrupted() != 0 ? since_signal + passed : 0;
    if (since_signal >= patience_after_signal) end_interrupted();
    // A debugger may have stopped it, and a profiler runs kernels many times.
    same = hangs && attached_tool() == nullptr ? same + passed : 0;
    if (same >= settings_.timeout) end_hung();
  }
}

void KernelGuard::end_hung() {
  FaultText what;
  add_name(what, *current.load());
  what.add(" did not end within ")
      .add(number("%g", settings_.timeout))
      .add(" s (--kernel-timeout)");
  tell_fault(what);
  _exit(status_of_fault);
}

} // namespace ado::bench
