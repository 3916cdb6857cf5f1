// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/sizes.hpp>
#include <ado/bench/cli/terms.hpp>
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_report.hpp>
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/io/exit_status.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>

namespace ado::bench {
namespace {

/// Two columns less than a screen has: `print` indents all lines.
constexpr std::size_t text_columns = screen_columns - 2;

/// The meaning of all columns of the table, in order.
std::string table_text() {
  std::ostringstream text;
  std::set<std::string> said;
  text << "A row: a portable variant (Kokkos) and the native one, hand-written, run in turn on the "
          "same data; or one of them alone. A wide screen shows more columns than a narrow one, "
          "and the file of --markdown all.\n";
  for (const Field<Side>& field : side_fields())
    if (field.shown && said.insert(word_of(*field.shown)).second)
      print_meaning(text, word_of(*field.shown), field.meaning, text_columns);
  return text.str();
}

/// Listed under the title of its column and its names in the records.
template <class Subject>
void add_fields(std::vector<Explanation>& all, const std::vector<Field<Subject>>& fields,
                const std::string& table) {
  for (const Field<Subject>& field : fields) {
    if (field.shown)
      for (const std::string& word : {word_of(*field.shown), one_line(field.shown->title)})
        all.push_back({word, "column of " + table, field.meaning});
    const std::string json = field.json.substr(field.json.rfind('/') + 1);
    if (field.name == json && !json.empty())
      all.push_back({json, "field of --csv and --json", field.meaning});
    else if (!field.name.empty())
      all.push_back({field.name, "field of --csv", field.meaning});
    if (field.name != json && !json.empty())
      all.push_back({json, "field of --json", field.meaning});
  }
}

template <class Subject>
void print_fields(std::ostream& out, const std::vector<Field<Subject>>& fields,
                  const std::string& inside = "") {
  for (const Field<Subject>& field : fields) {
    if (field.name.empty() && field.json.empty()) continue;
    const std::string json = inside + field.json;
    const bool alike = field.name == json;
    out << "  " << (field.name.empty() ? json : field.name);
    if (!alike && !field.name.empty()) out << (json.empty() ? " (CSV)" : " (in JSON " + json + ")");
    if (!alike && field.name.empty()) out << " (JSON)";
    out << '\n';
    for (const std::string& line : wrapped(field.meaning, text_columns - 6))
      out << "      " << line << '\n';
  }
}

/// The meaning of all fields of the records.
std::string record_text() {
  std::ostringstream text;
  text << "Of each variant and case, in --csv and --json:\n";
  print_fields(text, side_fields());
  text << "Of each of its launches:\n";
  print_fields(text, launch_fields(), "launches/");
  text << "Of its stages:\n";
  print_fields(text, stage_fields(), "stages/");
  text << "Of the run, in JSON in `context`:\n";
  print_fields(text, run_fields());
  return text.str();
}

void add_columns(std::vector<Explanation>& all) {
  all.push_back({"table", "what a run prints", table_text()});
  all.push_back({"record", "what --json and --csv say", record_text()});
  add_fields(all, side_fields(), "the table");
  add_fields(all, launch_fields(), "--launches");
  add_fields(all, stage_fields(), "--stages");
  add_fields(all, run_fields(), "no table");
  for (const Field<StageTimes>& field : stage_fields())
    if (const std::string title = field.shown ? field.shown->title : ""; title.ends_with("\nms"))
      all.push_back({title.substr(0, title.size() - 3), "column of --stages", field.meaning});
  for (const TextTable::Column& column : compare_columns())
    all.push_back({column.title, "column of compare", column.meaning});
}

void add_verdicts(std::vector<Explanation>& all) {
  for (const LimiterName& limiter : limiter_names())
    all.push_back({std::string(limiter.name), "limiter", std::string(limiter.meaning)});
  for (const Verdict verdict :
       {Verdict::slower, Verdict::faster, Verdict::same, Verdict::inconclusive})
    all.push_back(
        {std::string(name_of(verdict)), "verdict on a ratio", std::string(meaning_of(verdict))});
  for (const RowVerdict& verdict : row_verdicts())
    all.push_back({std::string(verdict.name), "verdict on a row", std::string(verdict.meaning)});
  for (const ExitStatus& status : exit_statuses)
    all.push_back(
        {std::string("exit status ") + status.digit, "exit status", std::string(status.meaning)});
}

std::string exit_status_lines() {
  std::string lines;
  for (const ExitStatus& status : exit_statuses)
    lines += std::string("  ") + status.digit + "  " + std::string(status.meaning) + "\n";
  return lines;
}

void add_sizes(std::vector<Explanation>& all) {
  std::string text =
      "Those that no option and no file sets suit the machine: its memory, its caches, its "
      "threads.\n"
      "--sizes SET gives every machine the same, so that records of several can be joined:\n";
  for (const SizeSet& set : size_sets) {
    text += "  " + std::string(set.name) + std::string(9 - set.name.size(), ' ') +
            std::string(set.meaning) + "\n";
    all.push_back({std::string(set.name), "set of --sizes", std::string(set.meaning)});
  }
  for (const char* word : {"sizes", "default sizes"})
    all.push_back({word, "term", text + "more: docs/options.md#sizes\n"});
}

/// Adds a term under each of its names.
void add_terms(std::vector<Explanation>& all) {
  for (const Term& term : terms()) {
    std::string text(term.text.empty() ? exit_status_lines() : term.text);
    if (!text.ends_with('\n')) text += '\n';
    if (!term.page.empty()) text += "more: " + std::string(term.page) + "\n";
    for (const std::string_view word : term.words)
      all.push_back({std::string(word), "term", text});
  }
}

/// A card with each paragraph on one line, however long.
std::string paragraphs(std::string_view card) {
  constexpr std::string_view indent = "            "; // marks a continued line
  std::string text;
  std::istringstream lines{std::string(card)};
  for (std::string line; std::getline(lines, line);)
    text += line.starts_with(indent) ? " " + line.substr(indent.size())
                                     : (text.empty() ? "" : "\n") + line;
  return text + "\n";
}

/// The opening comment of the file; empty if the file is not the project's.
std::string card_of(std::string_view file) {
  for (const Card& card : cards())
    if (file.ends_with(card.file)) return paragraphs(card.text);
  return "";
}

/// Twins on several backends come from one file and are explained once.
void add_variants(std::vector<Explanation>& all) {
  for (const Algorithm& algorithm : algorithms())
    all.push_back({std::string(algorithm.name), "algorithm", std::string(algorithm.formula)});
  std::string_view last_file;
  for (const Variant& v : variants()) {
    if (v.on_ranks) continue;
    if (v.file == last_file && all.back().word == v.name) continue;
    last_file = v.file;
    all.push_back({std::string(v.name),
                   "variant of " + std::string(v.algorithm) + ", " + std::string(name_of(v.model)),
                   std::string(v.summary) + "\n" + card_of(v.file)});
  }
}

/// A single process explains variants on ranks too, and those for GPUs, although it does not have
/// them. Their cards begin "transpose on ranks, kokkos, slabs: ...".
void add_variants_on_ranks(std::vector<Explanation>& all) {
  for (const Card& card : cards()) {
    const std::string_view head = card.text.substr(0, card.text.find(':'));
    const std::size_t first = head.find(", "), last = head.rfind(", ");
    if (head.find(" on ranks, ") == std::string_view::npos || first == last) continue;
    const std::string of(head.substr(0, first)), model(head.substr(first + 2, last - first - 2));
    all.push_back({std::string(head.substr(last + 2)), "variant of " + of + ", " + model,
                   paragraphs(card.text)});
  }
}

void print(std::ostream& out, const Explanation& one) {
  out << one.word << " (" << one.kind << ")\n";
  for (const std::string& line : wrapped(one.text, text_columns))
    out << "  " << line << '\n';
}

/// Prints all about a word, compared after `form`; returns whether there was anything.
bool print_all(std::ostream& out, const std::string& word, const std::vector<Explanation>& known,
               std::string (*form)(std::string)) {
  std::vector<std::string> said;
  for (const Explanation& one : known) {
    if (form(one.word) != form(word)) continue;
    if (std::find(said.begin(), said.end(), one.kind + one.text) != said.end()) continue;
    if (!said.empty()) out << '\n';
    said.push_back(one.kind + one.text);
    print(out, one);
  }
  return !said.empty();
}

/// Sorted, each once.
std::vector<std::string> words_of(const std::vector<Explanation>& known) {
  std::set<std::string> words;
  for (const Explanation& one : known)
    words.insert(one.word);
  return {words.begin(), words.end()};
}

/// All words by kind, in lines that fit a screen.
void print_words(std::ostream& out) {
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const Explanation& one : explanations()) {
    std::vector<std::string>& words = by_kind[one.kind];
    if (std::find(words.begin(), words.end(), one.word) == words.end()) words.push_back(one.word);
  }
  for (const auto& [kind, words] : by_kind) {
    out << kind << '\n';
    std::string line;
    for (const std::string& word : words) {
      if (line.size() + word.size() + 5 > screen_columns) {
        out << "  " << line << '\n';
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + word;
    }
    out << "  " << line << '\n';
  }
}

} // namespace

std::vector<Explanation> explanations() {
  std::vector<Explanation> all;
  add_columns(all);
  add_verdicts(all);
  add_terms(all);
  add_sizes(all);
  add_variants(all);
  add_variants_on_ranks(all);
  return all;
}

std::vector<std::string> explained_words() { return words_of(explanations()); }

int explain_command(const std::vector<std::string>& arguments, std::ostream& out) {
  std::string word;
  for (const std::string& argument : arguments)
    word += (word.empty() ? "" : " ") + argument;
  if (word == "-h" || word == "--help") {
    out << "Says what a word in tables, records and messages means; without a word, which\n"
           "there are.\nUsage: "
        << program_name << " explain [WORD]\n";
    return 0;
  }
  if (word.empty()) {
    print_words(out);
    return 0;
  }
  if (word.starts_with("-"))
    throw UsageError("explain: takes a word and no option '" + word + "'; see " + program_name +
                     " explain --help, of options " + program_name + " --help");
  const std::vector<Explanation> known = explanations();
  if (print_all(out, word, known, lower_case) || print_all(out, word, known, word_key)) return 0;
  // "openmp/team", as in the table
  if (const std::size_t slash = word.rfind('/'); slash != std::string::npos)
    if (print_all(out, word.substr(slash + 1), known, lower_case)) return 0;
  const std::string near = joined(nearest(word, words_of(known)));
  throw UsageError("explain: no word '" + word + "', and " +
                   (near.empty() ? "none is near it" : "near it: " + near) + "; " + program_name +
                   " explain lists all");
}

} // namespace ado::bench
