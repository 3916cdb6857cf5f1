// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other processes that measure for this one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ado::bench {

/// A folder for files of this process alone, removed with them at the end. Throws Error.
class TemporaryFolder {
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::string file(const std::string& name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

struct ChildProgram {
  std::string path;
  std::vector<std::string> arguments;   ///< the program's name first
  std::vector<std::string> environment; ///< NAME=value, beside this process' own
  std::string output;                   ///< the file that gets what it prints
};

/// Runs it to its end, on the CPUs that this process began with. A signal that this process notes
/// meanwhile is passed on. Returns the exit status, 128 and more if a signal ended it. Throws
/// Error if it cannot be started.
int run_child(const ChildProgram& child);

/// What it printed last, for a message.
std::string last_line(const std::string& output);

/// A program and those of the same objects that a linker put elsewhere, in the folder PATH_places
/// (docs/numbers.md, "Another process, another time").
class Places {
public:
  /// Says so on stderr, and leaves them out, if they are older than the program.
  explicit Places(std::string path);
  /// The program for process k of several, from 0.
  const std::string& of_process(std::size_t k) const { return programs_[k % programs_.size()]; }
  std::size_t count() const { return programs_.size(); }

private:
  std::vector<std::string> programs_;
};

} // namespace ado::bench
