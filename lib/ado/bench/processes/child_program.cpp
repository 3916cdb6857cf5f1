// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/restart.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/processes/child_program.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace ado::bench {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts)
    all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Between fork and exec only async-signal-safe calls are allowed.
[[noreturn]] void become(const char* path, char* const* arguments, char* const* environment,
                         int output) {
  prctl(PR_SET_PDEATHSIG, SIGTERM); // whatever ends this process
  undo_binding();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_with_exec();
  execve(path, arguments, environment);
  _exit(127);
}

} // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = fs::temp_directory_path() / "ado-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw InputError(name + ": no folder can be made there (" + error_text(errno) +
                     "); set TMPDIR to one that can be written to");
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

int run_child(const ChildProgram& child) {
  std::vector<std::string> arguments = child.arguments, environment = child.environment;
  for (char** entry = environ; *entry != nullptr; ++entry)
    environment.emplace_back(*entry);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  const Descriptor output(
      open(child.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (output.get() < 0)
    throw InputError(child.output + ": cannot be written (" + error_text(errno) + ")");
  const pid_t pid = fork();
  if (pid == 0) become(child.path.c_str(), argv.data(), envp.data(), output.get());
  if (pid < 0) throw Error("no process can be started (" + error_text(errno) + ")");
  const Descriptor running(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  pollfd end{running.get(), POLLIN, 0}; // poll() passes over -1, which kernels before 5.3 give
  int status = 0, passed_on = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    poll(&end, 1, running.get() < 0 ? 50 : 1000); // a noted signal ends it, but not a waitpid()
    if (interrupted() != passed_on) kill(pid, passed_on = interrupted());
  }
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

std::string last_line(const std::string& output) {
  std::string text = read_file(output);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

Places::Places(std::string path) : programs_{std::move(path)} {
  const fs::path folder = programs_[0] + "_places";
  for (int k = 1; fs::exists(folder / std::to_string(k)); ++k)
    programs_.push_back(folder / std::to_string(k));
  const auto is_old = [&](const std::string& program) {
    return fs::last_write_time(program) < fs::last_write_time(programs_[0]);
  };
  if (std::none_of(programs_.begin(), programs_.end(), is_old)) return;
  std::cerr << program_name + ": the programs in " + folder.string() +
                   " are older than the one beside them, so they are left out; build the target " +
                   fs::path(programs_[0]).filename().string() + "_places again\n";
  programs_.resize(1);
}

} // namespace ado::bench
