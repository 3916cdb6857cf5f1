// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handwritten-digits example from end to end, with the commands of its README: real data in,
// results out, compared with NumPy's float64 answer.
#include "program.hpp"

namespace ado::bench {
namespace {

const std::string example = ADO_SOURCE_DIR "/examples/digits/";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    at = text.replace(at, from.size(), to).find(to, at) + to.size();
}

/// A test that needs a Python with NumPy, and is skipped without one.
class DigitsTest : public MiniappRun {
protected:
  void SetUp() override {
    MiniappRun::SetUp();
    // The system's own Python counts too, even if the user's PATH has another first.
    for (const Words& command : {Words{"/usr/bin/env", "python3"}, Words{"/usr/bin/python3"}}) {
      if (!std::filesystem::exists(command[0])) continue;
      Words arguments(command.begin() + 1, command.end());
      arguments.insert(arguments.end(), {"-c", "import numpy"});
      if (run_program(command[0], arguments).status != 0) continue;
      for (const std::string& word : command)
        python_ += word + " ";
      return;
    }
    GTEST_SKIP() << "no python3 with NumPy on this machine; Debian and Ubuntu: apt-get install "
                    "python3-numpy";
  }

  /// The commands of the README, run in this test's folder.
  std::string readme_commands() const {
    std::istringstream readme(contents(example + "README.md"));
    std::string commands = "set -e\ncd " + folder_.string() + "\n";
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
      if (line.rfind("```", 0) == 0)
        inside = line == "```sh";
      else if (inside)
        commands += line + "\n";
    }
    replace_all(commands, "examples/digits/", example);
    replace_all(commands, "./ado run", ADO_MINIAPP);
    replace_all(commands, "python3 ", python_);
    return commands;
  }

  Outcome shell(const std::string& commands) const {
    return run_program("/bin/sh", {"-c", commands});
  }
  Outcome check() const { return shell(python_ + example + "check.py " + path("out")); }

  std::string python_;
};

class Digits : public DigitsTest, public testing::WithParamInterface<const char*> {};

TEST_P(Digits, AgreesWithNumpyOnEveryAlgorithm) {
  std::string commands = readme_commands();
  const std::string shown = "--variant team --model kokkos";
  ASSERT_NE(commands.find(shown), std::string::npos);
  std::string side = GetParam();
  if (side != shown) side += " --backend " + host_backend();
  replace_all(commands, shown, side);
  const Outcome outcome = shell(commands);
  EXPECT_EQ(outcome.status, 0) << outcome;
  const Outcome checked = check();
  EXPECT_EQ(checked.status, 0) << checked;
  for (const char* result :
       {"y: right, largest error", "b: right, every element equal", "result: right, largest error"})
    EXPECT_NE(checked.out.find(result), std::string::npos)
        << result << " is not in " << checked.out;
}

INSTANTIATE_TEST_SUITE_P(, Digits,
                         testing::Values("--variant team --model kokkos",
                                         "--variant team --model openmp",
                                         "--variant serial --model serial"),
                         [](const auto& instance) {
                           const std::string side = instance.param;
                           return side.substr(side.rfind(' ') + 1);
                         });

TEST_F(DigitsTest, TheCheckCatchesOneWrongElement) {
  ASSERT_EQ(shell(readme_commands()).status, 0);
  for (const char* array : {"y", "b", "result"}) {
    const std::string edit = "import numpy as n; f='" + path("out/") + array +
                             ".npy'; a=n.load(f); k=a.size // 2; a.flat[k] = "
                             "a.flat[k] * 1.001 + 0.001; n.save(f, a)";
    ASSERT_EQ(shell(python_ + "-c \"" + edit + "\"").status, 0);
    const Outcome outcome = check();
    EXPECT_EQ(outcome.status, 1) << outcome;
    EXPECT_NE(outcome.out.find(std::string(array) + ": WRONG"), std::string::npos) << outcome.out;
  }
}

} // namespace
} // namespace ado::bench
