// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/guard/tools.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/program.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <sstream>

namespace ado::bench {
namespace {

/// "pid, notes, rows, load average" of a process that restarted itself; notes and rows are
/// descriptors.
constexpr const char* variable = "ADO_RESTARTED";

char** arguments = nullptr;
sigset_t mask{};
cpu_set_t cpus{};
bool knows_cpus = false;
std::array<bool, 1024> inherited{}; ///< descriptors from the program's start
bool restarted = false;
int notes = -1, rows = -1;
double load = -1;
std::vector<std::string> environment;
std::vector<char*> environment_pointers; ///< empty: not prepared

/// OpenMP's runtime binds this thread to a core before main() begins, and exec would pass that on.
__attribute__((no_sanitize("address", "thread"))) void note_cpus(int, char**, char**) {
  knows_cpus = syscall(SYS_sched_getaffinity, 0, sizeof cpus, &cpus) > 0;
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const note_cpus_first)(int, char**,
                                                                            char**) = note_cpus;

void flag(int file, int flags) { static_cast<void>(fcntl(file, F_SETFD, flags)); }

/// All but what this program and its next one share.
void close_with_restart() {
  close_with_exec();
  for (std::size_t file = 3; file < inherited.size(); ++file)
    if (inherited[file]) flag(static_cast<int>(file), 0);
  flag(notes, 0);
  flag(rows, 0);
}

void append(std::string_view text) { static_cast<void>(!write(notes, text.data(), text.size())); }

} // namespace

void remember_start(char** argv) {
  arguments = argv;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  for (std::size_t file = 3; file < inherited.size(); ++file)
    inherited[file] = fcntl(static_cast<int>(file), F_GETFD) == 0;
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  std::istringstream text(value);
  long process = 0;
  // Inherited from a parent, it says nothing about this program.
  restarted = bool(text >> process >> notes >> rows >> load) && process == getpid();
  unsetenv(variable);
  if (!restarted) notes = rows = -1;
  if (restarted) prctl(PR_SET_NAME, program_name.c_str()); // else the name is "exe"
}

bool is_restarted() { return restarted; }
double load_before_restart() { return load; }

int signal_before_restart() {
  int signal = 0;
  for (const std::string& note : restart_notes())
    signal = note == "SIGINT" ? SIGINT : note == "SIGTERM" ? SIGTERM : signal;
  return signal;
}

std::vector<std::string> restart_notes() {
  std::vector<std::string> lines;
  if (notes < 0) return lines;
  std::istringstream text(read_file("/proc/self/fd/" + std::to_string(notes)));
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  return lines;
}

std::string kept_rows_path() { return rows < 0 ? "" : "/proc/self/fd/" + std::to_string(rows); }

void undo_binding() {
  if (knows_cpus) syscall(SYS_sched_setaffinity, 0, sizeof cpus, &cpus);
}

void close_with_exec() {
#ifdef SYS_close_range
  constexpr unsigned mark_only = 4; // CLOSE_RANGE_CLOEXEC, which older headers lack
  if (syscall(SYS_close_range, 3u, ~0u, mark_only) == 0) return;
#endif
  for (int file = 3; file < sysconf(_SC_OPEN_MAX); ++file)
    flag(file, FD_CLOEXEC);
}

void prepare_restart(double load_average) {
  if (notes < 0) notes = memfd_create("faults of kernels", MFD_CLOEXEC);
  if (rows < 0) rows = memfd_create("rows", MFD_CLOEXEC);
  if (notes < 0 || rows < 0) return;
  environment.clear();
  for (char** entry = environ; *entry != nullptr; ++entry)
    environment.emplace_back(*entry);
  std::ostringstream text;
  text << variable << '=' << getpid() << ' ' << notes << ' ' << rows << ' ' << load_average;
  environment.push_back(text.str());
  environment_pointers.clear();
  for (std::string& entry : environment)
    environment_pointers.push_back(entry.data());
  environment_pointers.push_back(nullptr);
}

const char* no_restart_because() {
  if (const char* tool = attached_tool()) return tool;
  return environment_pointers.empty() ? "" : nullptr;
}

void restart(std::string_view note) {
  if (environment_pointers.empty()) return;
  append(note);
  append(interrupted() == SIGINT ? "\nSIGINT\n" : interrupted() != 0 ? "\nSIGTERM\n" : "\n");
  close_with_restart();
  undo_binding();
  pthread_sigmask(SIG_SETMASK, &mask, nullptr); // a handler's signal is blocked
  execve("/proc/self/exe", arguments, environment_pointers.data());
}

} // namespace ado::bench
