// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/exit_status.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/kokkos/session.hpp>

#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <string_view>
#include <type_traits>

namespace ado::bench {
namespace {

constexpr bool has_gpu =
    !std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

int gpu_count() {
#ifdef KOKKOS_ENABLE_CUDA
  int count = 0; // without a CUDA driver Kokkos would end the program
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
#else
  return Kokkos::num_devices();
#endif
}

int terminal = -1; ///< the program's stderr while Kokkos writes to `kept`
int kept = -1;

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Restores the program's stderr and returns the start of what Kokkos wrote.
std::string_view take_kept(char* buffer, std::size_t size) {
  if (kept < 0) return {};
  dup2(terminal, STDERR_FILENO);
  close(terminal);
  const ssize_t count = pread(kept, buffer, size, 0);
  close(kept);
  kept = terminal = -1;
  return {buffer, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

char buffer[1 << 16]; ///< a signal handler allocates nothing

/// If Kokkos or OpenMP's runtime ends the program by exit().
void show_kept() { write_all(take_kept(buffer, sizeof buffer)); }

/// Prints Kokkos' message on one line, without backtrace, kind and function name.
extern "C" void explain_abort(int) {
  std::string_view text = take_kept(buffer, sizeof buffer);
  for (const std::string_view kind : {"Error: ", "Warning: "})
    if (const std::size_t at = text.rfind(kind); at != text.npos)
      text.remove_prefix(at + kind.size());
  text = text.substr(0, text.find('\n'));
  text = text.substr(0, text.find(". Raised by"));
  text = text.substr(0, text.find(" Raised by"));
  const bool variable = text.find("environment variable") != text.npos;
  const bool no_tool = text.find("profiling library") != text.npos; // Kokkos 5; see missing_tool()
  const bool setting = variable || no_tool || text.find("command line argument") != text.npos;
  write_all(program_name);
  write_all(no_tool ? ": Kokkos finds no tool in that library: " : ": Kokkos: ");
  write_all(text.empty() ? "aborted, and did not say why" : text);
  if (setting) write_all(variable ? "; unset it, or see --kokkos-help" : "; see --kokkos-help");
  write_all("\n");
  _exit(setting ? 2 : 3);
}

/// Calls Kokkos::initialize and returns what it wrote to stderr. `arguments` keeps what Kokkos
/// left.
std::string initialize(std::vector<char*>& arguments) {
  static const int at_exit = std::atexit(show_kept);
  std::cerr.flush();
  kept = at_exit == 0 ? memfd_create("stderr of Kokkos", MFD_CLOEXEC) : -1;
  if (kept >= 0) {
    terminal = dup(STDERR_FILENO);
    dup2(kept, STDERR_FILENO);
  }
  const auto before = std::signal(SIGABRT, explain_abort);
  int count = static_cast<int>(arguments.size()) - 1; // without the final null
  try {
    Kokkos::initialize(count, arguments.data());
  } catch (...) {
    std::signal(SIGABRT, before);
    show_kept();
    throw;
  }
  arguments.resize(static_cast<std::size_t>(count));
  std::signal(SIGABRT, before);
  return std::string(take_kept(buffer, sizeof buffer));
}

/// The requested tool that did not load, and why; empty: none.
std::string missing_tool(const std::vector<std::string>& arguments, const std::string& said) {
  std::string asked;
  for (const char* name : {"KOKKOS_PROFILE_LIBRARY", "KOKKOS_TOOLS_LIBS"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
      asked = name + ("=" + std::string(value));
  for (const std::string& argument : arguments)
    if (argument.starts_with("--kokkos-tools-libs=")) asked = argument;
  if (asked.empty() || Kokkos::Tools::profileLibraryLoaded()) return "";
  const std::string failed = ") failed with ";
  const std::size_t at = said.find(failed);
  if (at == said.npos) return asked + ": Kokkos finds no tool in that library";
  const std::size_t why = at + failed.size();
  return asked + ": Kokkos cannot load that tool: " + said.substr(why, said.find('\n', why) - why);
}

/// The second runtime would find itself bound to the core to which the first bound the main thread.
void check_runtimes() {
  std::ifstream maps("/proc/self/maps");
  const std::set<std::string> found = openmp_runtimes(maps);
  if (found.size() < 2) return;
  std::string files;
  for (const std::string& file : found)
    files += (files.empty() ? "" : " and ") + file;
  throw Error("there are two OpenMP runtimes in this program, which take each other's cores: " +
              files + "; build with the compiler that Kokkos was built with");
}

/// The default host backend has room for that many threads and writes beyond it.
void check_threads(const std::vector<std::string>& arguments) {
  const char* variable = std::getenv("KOKKOS_NUM_THREADS");
  if (variable != nullptr && std::strtoll(variable, nullptr, 10) > most_threads)
    throw UsageError("KOKKOS_NUM_THREADS=" + std::string(variable) +
                     ": the thread count must be a number from 1 to " +
                     std::to_string(most_threads));
#ifdef KOKKOS_ENABLE_OPENMP
  for (const std::string& argument : arguments)
    if (argument.starts_with("--kokkos-num-threads=")) return;
  if (variable == nullptr && omp_get_max_threads() > most_threads)
    throw UsageError("OpenMP has " + std::to_string(omp_get_max_threads()) +
                     " threads, and Kokkos takes at most " + std::to_string(most_threads) +
                     "; set OMP_NUM_THREADS");
#endif
}

} // namespace

std::set<std::string> openmp_runtimes(std::istream& maps) {
  const std::regex runtime(R"(lib(gomp|omp|iomp5)[^a-z/][^/]*)");
  std::set<std::string> found;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/'), name = line.rfind('/');
    if (path != line.npos && std::regex_match(line.substr(name + 1), runtime))
      found.insert(line.substr(path));
  }
  return found;
}

KokkosSession::KokkosSession(const std::vector<std::string>& arguments) {
  check_runtimes();
  check_threads(arguments);
  // Kokkos would warn at every start about unbound threads, and about more threads than CPUs.
  // print_machine() and warnings() say each in one line.
  std::vector<std::string> storage = {program_name, "--kokkos-disable-warnings"};
  storage.insert(storage.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : storage)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const std::string said = initialize(pointers);
  std::string wrong = missing_tool(arguments, said);
  if (pointers.size() > 1) // Kokkos removes the options that it knows
    wrong = std::string(pointers[1]) + ": Kokkos has no such option; see --kokkos-help";
  if (wrong.empty()) {
    if (!is_restarted()) std::cerr << said;
    return;
  }
  Kokkos::finalize();
  throw UsageError(wrong);
}

KokkosSession::~KokkosSession() { Kokkos::finalize(); }

void check_kokkos_device(const std::vector<std::string>& arguments) {
  if (has_gpu && gpu_count() < 1)
    throw Error("this build's Kokkos needs a GPU, and there is none on this machine");
  const std::string option = "--kokkos-device-id=";
  for (const std::string& argument : arguments) {
    if (argument.rfind(option, 0) != 0) continue;
    if (!has_gpu && !is_restarted())
      std::cerr << program_name + ": " + argument +
                       " has no effect: this build has no GPU backend; running on " +
                       Kokkos::DefaultExecutionSpace::name() + '\n';
    if (has_gpu && std::stoull(argument.substr(option.size())) >= std::size_t(gpu_count()))
      throw Error(argument + ": there is no such device; the number of devices is " +
                  std::to_string(gpu_count()));
  }
}

} // namespace ado::bench
