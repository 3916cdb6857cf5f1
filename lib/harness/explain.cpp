// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/cards.hpp>
#include <ado/harness/compare.hpp>
#include <ado/harness/exit_status.hpp>
#include <ado/harness/explain.hpp>
#include <ado/harness/limiter.hpp>
#include <ado/harness/options.hpp>
#include <ado/harness/record.hpp>
#include <ado/harness/report.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <ostream>
#include <sstream>

namespace ado {
namespace {

/// A title of two lines as one.
std::string one_line(std::string title) {
  std::replace(title.begin(), title.end(), '\n', ' ');
  title.erase(0, title.find_first_not_of(' '));
  return title;
}

/// What all columns of the table mean, in their order.
std::string table_text() {
  std::ostringstream text;
  std::vector<std::string_view> said;
  text << "A row: a portable variant (Kokkos) and the native one, hand-written, run in turn on the "
          "same\ndata; or one of them alone. A wide screen shows more columns than a narrow one, "
          "and "
          "the\nfile of --markdown all.\n";
  for (const ReportColumn& column : report_columns()) {
    if (std::find(said.begin(), said.end(), column.name) != said.end()) continue;
    said.push_back(column.name);
    print_meaning(text, std::string(column.name), column.column.meaning);
  }
  return text.str();
}

void add_columns(std::vector<Explanation>& all) {
  all.push_back({"table", "what a run prints", table_text()});
  for (const ReportColumn& column : report_columns())
    for (const std::string& word : {std::string(column.name), one_line(column.column.title)})
      all.push_back({word, "column of the table", column.column.meaning});
  for (const TextTable::Column& column : launch_columns())
    all.push_back({one_line(column.title), "column of --launches", column.meaning});
  for (const TextTable::Column& column : stage_columns())
    all.push_back({one_line(column.title), "column of --stages", column.meaning});
  for (const TextTable::Column& column : stage_columns())
    if (column.title.ends_with("\nms")) // the stage alone
      all.push_back(
          {column.title.substr(0, column.title.find('\n')), "column of --stages", column.meaning});
  for (const TextTable::Column& column : compare_columns())
    all.push_back({column.title, "column of compare", column.meaning});
  for (const auto& [field, meaning] : csv_fields())
    all.push_back({field, "field of --csv", meaning});
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

/// The comment that its file opens with; empty where that is none of the project's.
std::string card_of(std::string_view file) {
  for (const Card& card : cards())
    if (file.size() >= card.file.size() && file.substr(file.size() - card.file.size()) == card.file)
      return std::string(card.text);
  return "";
}

/// Twins on several backends come from one file, and are explained once.
void add_variants(std::vector<Explanation>& all) {
  for (const Algorithm& algorithm : algorithms())
    all.push_back({std::string(algorithm.name), "algorithm", std::string(algorithm.formula)});
  std::string_view last_file;
  for (const Variant& v : variants()) {
    if (v.file == last_file && all.back().word == v.name) continue;
    last_file = v.file;
    all.push_back({std::string(v.name),
                   "variant of " + std::string(v.algorithm) + ", " + std::string(name_of(v.model)),
                   std::string(v.summary) + "\n" + card_of(v.file)});
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Letters to insert, leave out or exchange to make one word of the other (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchanged});
    }
  }
  return row.back();
}

void print(std::ostream& out, const Explanation& one) {
  out << one.word << " (" << one.kind << ")\n";
  std::istringstream lines(one.text);
  for (std::string line; std::getline(lines, line);)
    out << "  " << line << '\n';
}

/// All words, by kind, in lines of at most 100 columns.
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
      if (line.size() + word.size() > 95) {
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
  add_variants(all);
  return all;
}

std::vector<std::string> nearest_words(const std::string& word,
                                       const std::vector<Explanation>& known) {
  std::map<std::string, std::size_t> distances;
  for (const Explanation& one : known) {
    const bool holds = lower(one.word).find(lower(word)) != std::string::npos;
    distances[one.word] = holds ? 1 : distance(lower(one.word), lower(word));
  }
  std::vector<std::string> words;
  for (const auto& [name, far] : distances)
    words.push_back(name);
  std::stable_sort(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    return distances[a] < distances[b];
  });
  words.resize(std::min<std::size_t>(words.size(), 5));
  return words;
}

int explain_command(const std::vector<std::string>& arguments, std::ostream& out) {
  std::string word;
  for (const std::string& argument : arguments)
    word += (word.empty() ? "" : " ") + argument;
  if (word == "-h" || word == "--help") {
    out << "Says what a word in tables, records and messages means; without a word, which there "
           "are.\nUsage: miniapp explain [WORD]\n";
    return 0;
  }
  if (word.empty()) {
    print_words(out);
    return 0;
  }
  const std::vector<Explanation> known = explanations();
  std::vector<std::string> said;
  for (const Explanation& one : known) {
    if (lower(one.word) != lower(word)) continue;
    if (std::find(said.begin(), said.end(), one.kind + one.text) != said.end()) continue;
    if (!said.empty()) out << '\n';
    said.push_back(one.kind + one.text);
    print(out, one);
  }
  if (!said.empty()) return 0;
  std::string near;
  for (const std::string& other : nearest_words(word, known))
    near += (near.empty() ? "" : ", ") + other;
  throw UsageError("explain: no word '" + word + "'; near it: " + near +
                   "; miniapp explain lists all");
}

} // namespace ado
