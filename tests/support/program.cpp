// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace ado::bench {
namespace {

/// The file actions of one spawned program.
class FileActions {
public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  void write_to(int stream, const std::string& path) {
    posix_spawn_file_actions_addopen(&actions_, stream, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
  }
  void close(int stream) { posix_spawn_file_actions_addclose(&actions_, stream); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

/// Resets all signals to their defaults; a shell makes its background jobs ignore Ctrl-C.
class DefaultSignals {
public:
  DefaultSignals() {
    sigset_t all{};
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  DefaultSignals(const DefaultSignals&) = delete;
  DefaultSignals& operator=(const DefaultSignals&) = delete;
  ~DefaultSignals() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

private:
  posix_spawnattr_t attributes_{};
};

/// Adds the test's own environment. No name comes twice: GCC 13's OpenMP takes the last of two,
/// getenv the first.
void add_inherited(Words& environment) {
  std::set<std::string> names;
  for (const std::string& entry : environment)
    names.insert(entry.substr(0, entry.find('=')));
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (const std::string text = *entry; !names.contains(text.substr(0, text.find('='))))
      environment.push_back(text);
}

std::vector<char*> pointers(Words& texts) {
  std::vector<char*> list;
  for (std::string& text : texts)
    list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

} // namespace

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << "exit status " << outcome.status << "\n--- stdout\n"
             << outcome.out << "--- stderr\n"
             << outcome.err;
}

Words words(const std::string& text) {
  std::istringstream stream(text);
  Words list;
  for (std::string word; stream >> word;)
    list.push_back(word);
  return list;
}

std::string ProgramTest::contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Outcome ProgramTest::run_program(const std::string& program, const Words& arguments,
                                 const Surroundings& surroundings) const {
  const std::string out = path("stdout.txt"), err = path("stderr.txt");
  FileActions actions;
  if (surroundings.stdout_closed)
    actions.close(STDOUT_FILENO);
  else
    actions.write_to(STDOUT_FILENO,
                     surroundings.stdout_path.empty() ? out : surroundings.stdout_path);
  actions.write_to(STDERR_FILENO,
                   surroundings.stderr_path.empty() ? err : surroundings.stderr_path);
  Words command = arguments, environment = surroundings.environment;
  command.insert(command.begin(), program);
  environment.push_back("XDG_CACHE_HOME=" + path("cache")); // not the user's
  add_inherited(environment);

  Outcome outcome;
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), actions.get(), DefaultSignals().get(),
                  pointers(command).data(), pointers(environment).data()) != 0) {
    ADD_FAILURE() << program << " cannot be started";
    return outcome;
  }
  if (surroundings.meanwhile) surroundings.meanwhile(child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = contents(out);
  outcome.err = contents(err);
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return outcome;
}

Outcome ProgramTest::miniapp(const std::string& command_line,
                             const Surroundings& surroundings) const {
  return run_program(ADO_MINIAPP, words(command_line), surroundings);
}

void ProgramTest::expect_refused(const std::string& command_line, const Words& fragments,
                                 const Surroundings& surroundings) const {
  SCOPED_TRACE(command_line);
  const Outcome outcome = miniapp(command_line, surroundings);
  EXPECT_EQ(outcome.status, 2) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("miniapp: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& fragment : fragments)
    EXPECT_NE(outcome.err.find(fragment), std::string::npos)
        << "missing: " << fragment << "\nin: " << outcome.err;
}

std::string ProgramTest::host_backend() const {
  const std::string list = miniapp("--list").out;
  const std::size_t line = list.find("\nbackends ");
  const Words names = words(list.substr(line + 1, list.find('\n', line + 1) - line));
  const Words of_hosts{"openmp", "threads", "serial"};
  const auto first = std::ranges::find_first_of(names, of_hosts); // the default comes first
  return first == names.end() ? "" : *first;
}

void MiniappRun::SetUp() {
  ProgramTest::SetUp();
  const Outcome list = miniapp("--list");
  if (list.status == 3) GTEST_SKIP() << list.err;
}

} // namespace ado::bench
