// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The man page has every option of --help, and three shells complete them.
#include "program.hpp"

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

class MiniappShell : public ProgramTest {
protected:
  /// The long options of --help: each starts a line.
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
  /// What bash offers for the last word.
  Words offered(const std::string& typed) const {
    std::ofstream(path("complete.sh"))
        << miniapp("--completion bash").out << "COMP_WORDS=(" << ADO_MINIAPP << " " << typed
        << ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n"
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

TEST_F(MiniappShell, BashCompletesOptionsAndNames) {
  EXPECT_EQ(offered("--skip"), Words{"--skip-verification"});
  for (const std::string& option : options())
    EXPECT_NE(offered(option), Words{}) << option;
  EXPECT_EQ(offered("--algorithm tra"), Words{"transpose"});
  const bool has_kernels = miniapp("--list").out.find("kokkos_kernels") != std::string::npos;
  EXPECT_EQ(offered("--model kokkos_"), has_kernels ? Words{"kokkos_kernels"} : Words{});
  EXPECT_EQ(offered("--type=f3"), Words{"--type=f32"});
  EXPECT_EQ(offered("--type = f3"), Words{"f32"}) << "as bash splits it";
  EXPECT_EQ(offered("--algorithm vector_add,tra"), Words{"vector_add,transpose"});
  EXPECT_EQ(offered("--algorithm yax --variant tw"), Words{"two_call"});
  EXPECT_EQ(offered("--algorithm=vector_add --variant tw"), Words{});
  EXPECT_EQ(offered("--variant team,wi"), Words{"team,wide"});
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
}

/// Zsh's own completion functions need a terminal: here they print their arguments.
TEST_F(MiniappShell, ZshCompletesOptionsNamesAndFiles) {
  const std::string zsh = "/bin/zsh";
  if (!std::filesystem::exists(zsh)) GTEST_SKIP() << zsh << " is not there";
  const auto offered_in_zsh = [&](const std::string& typed) {
    std::ofstream(path("complete.zsh"))
        << "compadd() { print -l -- $offered }\n_files() { print files }\n_complete() {\n"
        << miniapp("--completion zsh").out << "}\nwords=(" << ADO_MINIAPP << " " << typed
        << ")\nCURRENT=$#words\n_complete\n";
    return words(run_program(zsh, {"-f", path("complete.zsh")}).out);
  };
  EXPECT_EQ(offered_in_zsh("--skip"), Words{"--skip-verification"});
  EXPECT_EQ(offered_in_zsh("--algorithm=tra"), Words{"--algorithm=transpose"});
  EXPECT_EQ(offered_in_zsh("--algorithm yax,tra"), Words{"yax,transpose"});
  EXPECT_EQ(offered_in_zsh("--json ''"), Words{"files"});
  EXPECT_EQ(offered_in_zsh("bicycle"), Words{});
}

TEST_F(MiniappShell, FishCompletesOptionsNamesAndFiles) {
  const std::string fish = "/usr/bin/fish";
  if (!std::filesystem::exists(fish)) GTEST_SKIP() << fish << " is not there";
  const auto offered_in_fish = [&](const std::string& typed) {
    std::ofstream(path("complete.fish"))
        << miniapp("--completion fish").out << "function miniapp\n  " << ADO_MINIAPP
        << " $argv\nend\ncomplete -C 'miniapp " << typed << "' | cut -f 1\n";
    return words(run_program(fish, {"--no-config", path("complete.fish")}).out);
  };
  EXPECT_EQ(offered_in_fish("--skip"), Words{"--skip-verification"});
  EXPECT_EQ(offered_in_fish("--algorithm=tra"), Words{"--algorithm=transpose"});
  EXPECT_EQ(offered_in_fish("--algorithm yax,tra"), Words{"yax,transpose"});
  EXPECT_EQ(offered_in_fish("--csv " + path("complete.f")), Words{path("complete.fish")});
}

TEST_F(MiniappShell, AnotherShellIsRefused) {
  expect_refused("--completion tcsh", {"--completion", "'tcsh'", "bash, fish, zsh"});
}

/// A typo gets a suggestion, an unknown word does not.
TEST_F(MiniappShell, WhatIsNearAnUnknownWordIsAsked) {
  expect_refused("--helpp", {"no option --helpp; is it --help?"});
  expect_refused("--row-paddin 3", {"no option --row-paddin; is it --row-padding?"});
  expect_refused("--row 5", {"no option --row; is it --rows?"}); // nearer than --row-padding
  expect_refused("--bicycle", {"no option --bicycle; see --help"});
  expect_refused("--variant tema", {"--variant: no 'tema'; is it team?"});
  expect_refused("--type f16x", {"--type: no 'f16x'; there are: "});
  expect_refused("comprae a b", {"no command 'comprae'; is it compare?"});
}

TEST_F(MiniappShell, TextsFitAScreen) {
  const std::string diagnosed = "--algorithm yax --variant row_per_thread,row_per_vector --rows 99 "
                                "--reps 1 --diagnose-all";
  for (const std::string& asked : std::vector<std::string>{
           "--help", "compare --help", "explain", "explain table", "explain sizes",
           "explain exit status", "explain --help", "list", "dry-run --algorithm all", diagnosed,
           "--algorithm pipeline --chunks 3 --chunk-elements 1000 --reps 1"}) {
    std::istringstream lines(miniapp(asked).out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80u) << asked << ": " << line;
  }
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
} // namespace ado::bench
