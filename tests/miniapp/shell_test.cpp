// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The man page and the completion scripts: each has every option of --help.
#include "program.hpp"

#include <set>
#include <sstream>

namespace ado {
namespace {

class MiniappShell : public ProgramTest {
protected:
  /// The long options of --help: each stands at the start of a line.
  std::set<std::string> options() const {
    std::set<std::string> names;
    std::istringstream help(miniapp("--help").out);
    for (std::string line; std::getline(help, line);) {
      std::string first;
      std::istringstream(line) >> first;
      const std::size_t at = first.find("--");
      if (first.rfind("-", 0) != 0 || at == std::string::npos || first.rfind("--kokkos", 0) == 0)
        continue;
      names.insert(first.substr(
          at, first.find_first_not_of("-abcdefghijklmnopqrstuvwxyz0123456789", at) - at));
    }
    return names;
  }
  /// What bash offers for the last of the words.
  Words offered(const std::string& typed) const {
    std::ofstream(path("complete.sh")) << miniapp("--completion bash").out << "COMP_WORDS=(miniapp "
                                       << typed << ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n"
                                       << "_miniapp\necho \"${COMPREPLY[@]}\"\n";
    return words(run_program("/bin/bash", {path("complete.sh")}).out);
  }
};

TEST_F(MiniappShell, TheManPageHasEveryOption) {
  const Outcome man = miniapp("--man");
  ASSERT_EQ(man.status, 0) << man;
  EXPECT_EQ(man.out.rfind(".TH MINIAPP 1", 0), 0u) << man.out;
  ASSERT_GT(options().size(), 30u);
  for (std::string option : options()) {
    for (std::size_t at = 0; (at = option.find('-', at)) != std::string::npos; at += 2)
      option.insert(at, "\\");
    EXPECT_NE(man.out.find(option), std::string::npos) << option;
  }
}

TEST_F(MiniappShell, TheZshScriptHasEveryOption) {
  const Outcome script = miniapp("--completion zsh");
  ASSERT_EQ(script.status, 0) << script;
  EXPECT_EQ(script.out.rfind("#compdef miniapp\n", 0), 0u) << script.out;
  for (const char* of_compare : {"with", "least", "ignore-conditions"})
    EXPECT_NE(script.out.find("'*--" + std::string(of_compare) + "["), std::string::npos);
  for (const std::string& option : options())
    EXPECT_NE(script.out.find("'*" + option + "["), std::string::npos) << option;
}

TEST_F(MiniappShell, BashCompletesOptionsAndNames) {
  EXPECT_EQ(offered("--skip"), Words{"--skip-verification"});
  for (const std::string& option : options())
    EXPECT_NE(offered(option), Words{}) << option;
  EXPECT_EQ(offered("--algorithm tra"), Words{"transpose"});
  EXPECT_EQ(offered("--model kokkos_"), Words{"kokkos_kernels"});
  EXPECT_EQ(offered("--csv " + path("complete.s")), Words{path("complete.sh")});
  EXPECT_EQ(offered("compare " + path("complete.s")), Words{path("complete.sh")});
}

TEST_F(MiniappShell, BashCompletesWordsAndVerdicts) {
  EXPECT_EQ(offered("explain occup"), Words{"occupancy"});
  EXPECT_EQ(offered("explain of ce"), Words{"ceiling"});
  EXPECT_EQ(offered("compare a.json b.json --fail-on slow"), Words{"slower"});
  EXPECT_EQ(offered("compare a.json b.json --ig"), Words{"--ignore-conditions"});
  EXPECT_EQ(offered("compare a.json --with " + path("complete.s")), Words{path("complete.sh")});
  EXPECT_EQ(offered("--team-size sw"), Words{"sweep"});
  EXPECT_EQ(offered("--backend " + host_backend().substr(0, 3)), Words{host_backend()});
}

TEST_F(MiniappShell, WhatMayHaveSeveralValuesSaysSoEverywhere) {
  ASSERT_NE(miniapp("--help").out.find("--algorithm NAME, ..."), std::string::npos);
  EXPECT_NE(miniapp("--man").out.find("\\-\\-algorithm NAME, ..."), std::string::npos);
  EXPECT_NE(miniapp("--man").out.find("\\-\\-input ARRAY=FILE ..."), std::string::npos);
  EXPECT_EQ(miniapp("--man").out.find("\\-\\-reps N ..."), std::string::npos);
  EXPECT_NE(miniapp("--completion zsh").out.find(":NAME, ...:("), std::string::npos);
}

TEST_F(MiniappShell, ZshTakesTheScript) {
  const std::string zsh = "/bin/zsh";
  if (!std::filesystem::exists(zsh)) GTEST_SKIP() << zsh << " is not there";
  std::ofstream(path("_miniapp")) << miniapp("--completion zsh").out;
  const Outcome outcome = run_program(zsh, {"-n", path("_miniapp")});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(contents(path("_miniapp")).find("compadd --"), std::string::npos);
}

TEST_F(MiniappShell, AnotherShellIsRefused) {
  expect_refused("--completion fish", {"--completion", "'fish'", "bash, zsh"});
}

TEST_F(MiniappShell, ExplainTakesItsWordAsItStandsInTables) {
  const Outcome column = miniapp("explain of ceiling");
  EXPECT_EQ(column.status, 0) << column;
  EXPECT_EQ(column.out.rfind("of ceiling (column of the table)\n  least time", 0), 0u) << column;
  const Outcome words = miniapp("explain");
  EXPECT_EQ(words.status, 0);
  EXPECT_NE(words.out.find("\nlimiter\n  memory, compute, balanced, latency,"), std::string::npos)
      << words;
  EXPECT_NE(miniapp("explain --help").out.find("Usage: miniapp explain [WORD]\n"),
            std::string::npos);
  expect_refused("explain speeedup", {"no word 'speeedup'", "near it: speedup;"});
}

} // namespace
} // namespace ado
