// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made of the one table of options besides --help: a man page, completion in shells.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <string>

namespace ado {

/// --man: the manual page in the language of man(7).
std::string man_page(const CLI::App& app);

/// --completion SHELL: the script that a shell reads to complete the mini-app's options, their values
/// where these are names, files, and what the other commands take. Throws UsageError for a shell other
/// than bash and zsh.
std::string completion_script(const CLI::App& app, const std::string& shell,
                              const OtherCommands& others);

} // namespace ado
