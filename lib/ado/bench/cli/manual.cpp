// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/io/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <utility>

namespace ado::bench {
namespace {

/// A text on one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// Tells the shell to offer files.
const std::string files_offered = ":files\n";

/// Text that roff shows as it is.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '-') escaped += '\\';
    escaped += c;
    if (c == '\n') escaped += "\\&"; // a line that begins with a dot would be a command
  }
  return escaped;
}

/// "-N, --sets", as on the command line.
std::string flags_of(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames())
    text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    text += (text.empty() ? "--" : ", --") + name;
  return text;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// "NAME, ...", as --help shows it; the dots mean that there may be several.
std::string type_of(const CLI::Option& option) {
  const bool several = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  return option.get_type_name() + (several ? " ..." : "");
}

/// The names that an option may have, if it takes names; variants are those of the algorithms.
Names values_of(const std::string& option, const Names& of_algorithms) {
  Names algorithms = known_algorithms();
  algorithms.emplace_back("all");
  const std::map<std::string, Names> values{{"algorithm", algorithms},
                                            {"variant", known_variants(of_algorithms)},
                                            {"exclude-variant", known_variants(of_algorithms)},
                                            {"model", known_models()},
                                            {"type", known_types()},
                                            {"data", known_data_kinds()},
                                            {"pages", known_pages()},
                                            {"sizes", known_size_sets()},
                                            {"backend", backend_names()},
                                            {"team-size", {"auto", "sweep"}},
                                            {"fail-on", known_failures()},
                                            {"completion", known_shells()}};
  const auto known = values.find(option);
  return known == values.end() ? Names{} : known->second;
}

/// What may stand at the cursor, one per line: a word, a tab, and its meaning.
class Offers {
public:
  /// Offers words that begin with `typed`, each after `kept`.
  explicit Offers(std::string typed, std::string kept = "")
      : typed_(std::move(typed)), kept_(std::move(kept)) {}

  void add(const std::string& word, const std::string& meaning = "") {
    if (!word.starts_with(typed_)) return;
    lines_ += kept_ + word + (meaning.empty() ? "" : "\t" + one_line(meaning)) + "\n";
  }
  void add(const Names& words) {
    for (const std::string& word : words)
      add(word);
  }
  void add_options(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames())
        add("--" + name, option->get_description());
  }
  const std::string& lines() const { return lines_; }

private:
  std::string typed_, kept_, lines_;
};

const CLI::Option* option_of(const CLI::App& app, const std::string& word) {
  return word.starts_with("-") ? app.get_option_no_throw(word) : nullptr;
}

/// The algorithms that the words before the cursor select.
Names chosen_algorithms(const Names& words) {
  Names names;
  for (std::size_t k = 0; k + 1 < words.size(); ++k)
    if (words[k] == "--algorithm")
      for (const std::string& name : CLI::detail::split(words[k + 1], ','))
        names.push_back(name);
  return names;
}

/// What may follow an option: names, separated by commas if there are several, or a file.
std::string value_offers(const CLI::Option& option, const Names& words, const std::string& before) {
  if (option.get_type_name() == "FILE") return files_offered;
  const std::string& typed = words.back();
  const std::size_t comma = option.get_delimiter() == ',' ? typed.rfind(',') : std::string::npos;
  const std::size_t kept = comma == std::string::npos ? 0 : comma + 1;
  Offers offers(typed.substr(kept), before + typed.substr(0, kept));
  offers.add(values_of(option.get_lnames().at(0), chosen_algorithms(words)));
  return offers.lines();
}

/// Words of `explain` contain spaces: offers what is left after the words before the cursor.
std::string explained_offers(const Names& explained, const Names& words) {
  std::string typed;
  for (std::size_t k = 1; k < words.size(); ++k)
    typed += (k == 1 ? "" : " ") + words[k];
  const std::size_t before = typed.size() - words.back().size();
  Offers offers(words.back());
  for (const std::string& word : explained)
    if (word.starts_with(typed)) offers.add(word.substr(before));
  return offers.lines();
}

/// Splits `--option=value` into two words; bash makes the = a third.
Names without_equal_signs(const Names& typed) {
  Names words;
  for (const std::string& word : typed) {
    const std::size_t equal = word.starts_with("--") ? word.find('=') : std::string::npos;
    if (word == "=") continue;
    words.push_back(word.substr(0, equal));
    if (equal != std::string::npos) words.push_back(word.substr(equal + 1));
  }
  if (typed.back() == "=") words.emplace_back();
  return words;
}

const std::map<std::string, std::string> completion_scripts{
    {"bash", R"(# Completion of NAME in bash: the program itself says what may follow.
_NAME() {
  local line IFS=$'\n'
  COMPREPLY=()
  for line in $("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    case $line in
      :files) COMPREPLY+=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]#=}")) ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done
}
complete -o filenames -F _NAME NAME
)"},
    {"zsh", R"(#compdef NAME
# Completion of NAME in zsh: the program itself says what may follow.
local line
local -a offered meanings
for line in "${(@f)$($words[1] __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
  case $line in
    '') ;;
    :files) _files ;;
    *) offered+=("${line%%$'\t'*}"); meanings+=("${line/$'\t'/  }") ;;
  esac
done
(( $#offered )) && compadd -l -d meanings -a offered
)"},
    {"fish", R"(# Completion of NAME in fish: the program itself says what may follow.
function __NAME_complete
    set -l words (commandline -opc)
    for line in ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c NAME -f -a '(__NAME_complete)'
)"}};

/// CLI11 2.5 and newer would reflow the lines of the examples and exit statuses.
template <class Formatter>
void keep_lines(Formatter& formatter) {
  if constexpr (requires { formatter.enable_footer_formatting(false); }) {
    formatter.enable_description_formatting(false);
    formatter.enable_footer_formatting(false);
  }
}

/// Help that fits any screen.
class ScreenFormatter : public CLI::Formatter {
public:
  ScreenFormatter() {
    column_width(indent);
    keep_lines<CLI::Formatter>(*this);
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text;
    for (const std::string& line : wrapped(option->get_description(), screen_columns - indent - 1))
      text += (text.empty() ? "" : "\n") + line;
    return text;
  }

private:
  static constexpr std::size_t indent = 24;
};

/// One line per command.
std::string synopses() {
  std::string lines;
  for (const Command& command : commands)
    lines += ".B " + program_name + " " + roff(std::string(command.word)) + "\n" +
             roff(std::string(command.arguments)) + "\n.br\n";
  return lines;
}

} // namespace

Names known_shells() {
  Names shells;
  for (const auto& [shell, script] : completion_scripts)
    shells.push_back(shell);
  return shells;
}

void fit_to_screen(CLI::App& app) { app.formatter(std::make_shared<ScreenFormatter>()); }

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

std::string completion_script(const std::string& shell) {
  check_name(shell, known_shells(), "--completion");
  std::string script = completion_scripts.at(shell), name = program_name;
  name.erase(0, name.rfind('/') + 1); // ./ado becomes ado
  for (std::size_t at; (at = script.find("NAME")) != std::string::npos;)
    script.replace(at, 4, name);
  return script;
}

std::string completions(const CommandLines& lines, const Names& typed) {
  const Names words = without_equal_signs(typed.empty() ? Names{""} : typed);
  const std::string &first = words.front(), &last = words.back();
  const std::size_t equal = typed.empty() ? std::string::npos : typed.back().find('=');
  // What bash splits into three words is one for other shells: it must begin with all that is
  // typed.
  const std::string kept =
      equal != std::string::npos && equal > 0 ? typed.back().substr(0, equal + 1) : "";
  if (words.size() > 1 && first == "explain") return explained_offers(lines.explained, words);
  const bool compares = words.size() > 1 && first == "compare";
  const CLI::App& app = compares ? *lines.comparison : *lines.run;
  if (words.size() > 1)
    if (const CLI::Option* option = option_of(app, words[words.size() - 2]);
        option != nullptr && takes_value(*option))
      return value_offers(*option, words, kept);
  if ((compares || (words.size() > 1 && first == "ncu")) && !last.starts_with("-"))
    return files_offered;
  Offers offers(last);
  if (words.size() == 1) offers.add(command_words());
  offers.add_options(app);
  return offers.lines();
}

} // namespace ado::bench
