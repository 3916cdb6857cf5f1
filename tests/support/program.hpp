// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program as a shell would and keeps its output.
#pragma once

#include "npy_files.hpp"

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace ado::bench {

/// What a program left behind.
struct Outcome {
  int status = -1; ///< exit status; 128 plus the signal if one ended it
  std::string out, err;
};
/// For failure messages.
std::ostream& operator<<(std::ostream& out, const Outcome& outcome);

using Words = std::vector<std::string>;

/// "a b  c" as a shell splits it into words.
Words words(const std::string& text);

/// Where stdout and stderr go instead of Outcome::out and err, and additions to the environment.
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
  /// The mini-app with this command line, which has no quotes.
  Outcome miniapp(const std::string& command_line, const Surroundings& surroundings = {}) const;
  /// Expects exit status 2, nothing on stdout, and a one-line message with all fragments.
  void expect_refused(const std::string& command_line, const Words& fragments,
                      const Surroundings& surroundings = {}) const;
  /// This build's host backend: "openmp" or "serial".
  std::string host_backend() const;
  /// The text of a whole file.
  static std::string contents(const std::string& path);
};

/// Skipped, with the reason, if this build's backend has no device.
class MiniappRun : public ProgramTest {
protected:
  void SetUp() override;
};

} // namespace ado::bench
