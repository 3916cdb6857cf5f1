// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the option table serves besides parsing: help, a man page, shell completion.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ado::bench {

/// Keeps every line of --help within the width of a screen.
void fit_to_screen(CLI::App& app);

/// --man: the manual page in man(7) markup.
std::string man_page(const CLI::App& app);

/// The shells that have completion: "bash", ...
std::vector<std::string> known_shells();
/// --completion SHELL: the script for the shell to load. It asks the program what may stand at the
/// cursor (`__complete WORD...`). Throws UsageError for an unknown shell.
std::string completion_script(const std::string& shell);

/// The command lines that can be completed.
struct CommandLines {
  std::shared_ptr<const CLI::App> run, comparison;
  std::vector<std::string> explained; ///< the words of `explain`
};

/// What may replace the last of the words after the program's name, one candidate per line: the
/// word, a tab and its meaning, or ":files". Candidates are options, their values if those are
/// names, variants of the chosen algorithms, and what the other commands take.
std::string completions(const CommandLines& lines, const std::vector<std::string>& words);

} // namespace ado::bench
