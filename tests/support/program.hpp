// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program as a shell would and keeps what it printed.
#pragma once

#include "npy_files.hpp"

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace ado {

/// What a program left behind.
struct Outcome {
  int status = -1; ///< exit status; 128 and the signal where one ended it
  std::string out, err;
};
/// For failure messages.
std::ostream& operator<<(std::ostream& out, const Outcome& outcome);

using Words = std::vector<std::string>;

/// "a b  c" as the words a shell would make of it.
Words words(const std::string& text);

/// Where standard output and error go instead of Outcome::out and err, and what is added to the environment.
struct Surroundings {
  std::string stdout_path = {};
  std::string stderr_path = {};
  bool stdout_closed = false;
  Words environment = {};                    ///< "NAME=value"
  std::function<void(pid_t)> meanwhile = {}; ///< called while the program runs
};

/// A test with a temporary folder that runs programs.
class ProgramTest : public npy_files::NpyFixture {
protected:
  Outcome run_program(const std::string& program, const Words& arguments,
                      const Surroundings& surroundings = {}) const;
  /// The mini-app, on a command line without quotes.
  Outcome miniapp(const std::string& command_line, const Surroundings& surroundings = {}) const;
  /// Expects exit status 2, nothing on stdout, and all fragments in a message of one line.
  void expect_refused(const std::string& command_line, const Words& fragments,
                      const Surroundings& surroundings = {}) const;
  /// The backend of this build that runs on the host: "openmp" or "serial".
  std::string host_backend() const;
  /// Text of a whole file.
  static std::string contents(const std::string& path);
};

/// Skipped, with the reason, where this build's backend has no device.
class MiniappRun : public ProgramTest {
protected:
  void SetUp() override;
};

} // namespace ado
