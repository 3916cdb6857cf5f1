// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made of the one table of options besides parsing: help, a man page, completion in shells.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ado {

/// --help of `app` has no line that is longer than a screen is wide.
void fit_to_screen(CLI::App& app);

/// --man: the manual page in the language of man(7).
std::string man_page(const CLI::App& app);

/// "bash", ...
std::vector<std::string> known_shells();
/// --completion SHELL: the script that a shell reads. It asks the program, `__complete WORD...`, what
/// may stand where the cursor is. Throws UsageError for a shell that is not known.
std::string completion_script(const std::string& shell);

/// The command lines that can be completed.
struct CommandLines {
  std::shared_ptr<const CLI::App> run, comparison;
  std::vector<std::string> explained; ///< the words of `explain`
};

/// What may stand in the place of the last of the words behind the program's name, a line each: the word and
/// behind a tab what it means, or ":files". Options, their values where these are names, variants of the
/// algorithms that are chosen, and what the other commands take.
std::string completions(const CommandLines& lines, const std::vector<std::string>& words);

} // namespace ado
