// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made of the one table of options besides --help: a man page, completion in shells.
#pragma once

#include <ado/bench/cli/option_values.hpp>

#include <string>

namespace CLI { // NOLINT(readability-identifier-naming): as CLI11 calls itself
class App;
}

namespace ado {

/// --man: the manual page in the language of man(7).
std::string man_page(const CLI::App& app);

/// --completion SHELL: the script that a shell reads to complete the mini-app's options, their values
/// where these are names, files, and after `explain` the words `explained`. Throws UsageError for a shell other than bash and zsh.
std::string completion_script(const CLI::App& app, const std::string& shell,
                              const Names& explained);

} // namespace ado
