// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/io/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace ado {
namespace {

/// Text of one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// Text that roff shows as it is.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '-') escaped += '\\';
    escaped += c;
    if (c == '\n') escaped += "\\&"; // a line that begins with a dot is a command
  }
  return escaped;
}

/// "-N, --sets", as it is written on the command line.
std::string flags_of(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames())
    text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    text += (text.empty() ? "--" : ", --") + name;
  return text;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// "NAME, ...", as --help shows it: the dots where there may be several.
std::string type_of(const CLI::Option& option) {
  const bool several = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  return option.get_type_name() + (several ? " ..." : "");
}

/// The names that an option may have, if names are what it has.
Names values_of(const std::string& option) {
  Names algorithms = known_algorithms();
  algorithms.emplace_back("all");
  const std::map<std::string, Names> values{{"algorithm", algorithms},
                                            {"variant", known_variants()},
                                            {"exclude-variant", known_variants()},
                                            {"model", known_models()},
                                            {"type", known_types()},
                                            {"data", known_data_kinds()},
                                            {"sizes", known_size_sets()},
                                            {"backend", backend_names()},
                                            {"team-size", {"auto", "sweep"}},
                                            {"fail-on", known_failures()},
                                            {"completion", {"bash", "zsh"}}};
  const auto known = values.find(option);
  return known == values.end() ? Names{} : known->second;
}

std::string spaced(const Names& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The cases of what is behind an option, in bash: names or files; nothing where neither can be offered.
std::string bash_cases(const CLI::App& app) {
  std::string cases;
  for (const CLI::Option* option : app.get_options()) {
    if (!takes_value(*option) || option->get_lnames().empty()) continue;
    const std::string name = option->get_lnames().at(0);
    const Names values = values_of(name);
    std::string offer = ":";
    if (!values.empty()) offer = "COMPREPLY=($(compgen -W \"" + spaced(values) + "\" -- \"$cur\"))";
    if (option->get_type_name() == "FILE") offer = "COMPREPLY=($(compgen -f -- \"$cur\"))";
    cases += "  --" + name + ") " + offer + "; return ;;\n";
  }
  return "  case $before in\n" + cases + "  esac\n";
}

Names long_options(const CLI::App& app) {
  Names names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

/// Each quoted for a shell; none has a quote.
std::string quoted(const Names& words) {
  std::string text;
  for (const std::string& word : words)
    text += " '" + word + "'";
  return text;
}

std::string bash_script(const CLI::App& app, const OtherCommands& others) {
  Names words = command_words();
  for (const std::string& option : long_options(app))
    words.push_back(option);
  return "# Completion of ado's mini-app in bash.\n"
         "_" +
         program_name +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -gt 1 ] && [ \"${COMP_WORDS[1]}\" = compare ]; then\n" +
         bash_cases(*others.comparison) + "    COMPREPLY=($(compgen -f -W \"" +
         spaced(long_options(*others.comparison)) +
         "\" -- \"$cur\")); return\n"
         "  fi\n"
         "  if [ \"$COMP_CWORD\" -gt 1 ] && [ \"${COMP_WORDS[1]}\" = explain ]; then\n"
         "    local typed=\"${COMP_WORDS[*]:2:COMP_CWORD-1}\" word\n"
         "    for word in" +
         quoted(others.explained) +
         "; do # what is left of it behind the words before the cursor\n"
         "      [[ $word == \"$typed\"* ]] && COMPREPLY+=(\"${word:${#typed}-${#cur}}\")\n"
         "    done\n"
         "    return\n"
         "  fi\n" +
         bash_cases(app) + "  COMPREPLY=($(compgen -W \"" + spaced(words) +
         "\" -- \"$cur\"))\n"
         "}\n"
         "complete -o filenames -F _" +
         program_name + " " + program_name + "\n";
}

/// Text inside '[...]' of a specification of _arguments.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : one_line(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return escaped;
}

/// The options as specifications of _arguments.
std::string zsh_arguments(const CLI::App& app) {
  std::string script = "_arguments";
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) {
      script += " \\\n  '*--" + name + "[" + zsh_text(option->get_description()) + "]";
      if (takes_value(*option)) {
        const Names values = values_of(name);
        script += ":" + zsh_text(type_of(*option)) + ":";
        if (!values.empty()) script += "(" + spaced(values) + ")";
        if (option->get_type_name() == "FILE") script += "_files";
      }
      script += "'";
    }
  return script + " \\\n  '*:file:_files'";
}

std::string zsh_script(const CLI::App& app, const OtherCommands& others) {
  return "#compdef " + program_name +
         "\n# Completion of ado's mini-app in zsh.\n"
         "if [[ $words[2] == explain ]]; then\n"
         "  compadd --" +
         quoted(others.explained) +
         "\n  return\nfi\n"
         "if [[ $words[2] == compare ]]; then\n"
         "  shift words; (( CURRENT-- ))\n" +
         zsh_arguments(*others.comparison) + "\n  return\nfi\n" + zsh_arguments(app) +
         " '1::command:(" + spaced(command_words()) + ")'\n";
}

/// A line a command.
std::string synopses() {
  std::string lines;
  for (const Command& command : commands)
    lines += ".B " + program_name + " " + roff(std::string(command.word)) + "\n" +
             roff(std::string(command.arguments)) + "\n.br\n";
  return lines;
}

} // namespace

std::string man_page(const CLI::App& app) {
  std::string title = program_name;
  std::transform(title.begin(), title.end(), title.begin(), ::toupper);
  std::string page = ".TH " + title + " 1 \"\" \"" + version_text() + "\"\n.SH NAME\n" +
                     roff(program_name) +
                     " \\- portable kernels beside their native twins\n.SH SYNOPSIS\n.B " +
                     roff(program_name) + "\n[option...]\n.br\n" + synopses() +
                     ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n.SH OPTIONS\n";
  for (const std::string& group : app.get_groups()) {
    std::string options;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() != group) continue;
      options += ".TP\n.B " + roff(flags_of(*option));
      if (takes_value(*option)) options += " " + roff(type_of(*option));
      options += "\n" + roff(one_line(option->get_description())) + "\n";
    }
    if (!options.empty()) page += ".SS " + roff(group) + "\n" + options;
  }
  return page + ".SH NOTES\n.nf\n" + roff(app.get_footer()) + "\n.fi\n";
}

std::string completion_script(const CLI::App& app, const std::string& shell,
                              const OtherCommands& others) {
  check_name(shell, {"bash", "zsh"}, "--completion");
  return shell == "bash" ? bash_script(app, others) : zsh_script(app, others);
}

} // namespace ado
