// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/stats/statistics.hpp>
#include <ado/registry/registry.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <iterator>
#include <optional>
#include <set>

namespace ado::bench {
namespace {

/// A whole number, or nothing for any other text.
std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Kokkos and OpenMP would abort on an invalid thread count.
int parse_threads(const std::string& text, const std::string& where) {
  const auto threads = whole_number(text);
  if (!threads || *threads == 0 || *threads > most_threads)
    throw UsageError(where + ": the thread count must be a number from 1 to " +
                     std::to_string(most_threads));
  return static_cast<int>(*threads);
}

/// Kokkos aborts with a core dump on values that it dislikes, so the two common ones are checked
/// here.
void check_kokkos_value(const std::string& argument) {
  if (argument == "--kokkos-num-threads" || argument == "--kokkos-device-id")
    throw UsageError(argument + ": a value is missing: write " + argument + "=N");
  const auto value_of = [&](std::string_view option) -> std::optional<std::string> {
    if (argument.rfind(option, 0) != 0) return std::nullopt;
    return argument.substr(option.size());
  };
  if (const auto threads = value_of("--kokkos-num-threads=")) parse_threads(*threads, argument);
  if (const auto id = value_of("--kokkos-device-id="); id && !whole_number(*id))
    throw UsageError(argument + ": the device id must be a number from 0 on");
}

/// From 0 to `most`.
double parse_number(const std::string& text, const std::string& option, const std::string& kind,
                    int most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || !(number >= 0 && number <= most))
    throw UsageError(option + " " + text + ": must be " + kind + " from 0 to " +
                     std::to_string(most));
  return number;
}

/// Letters to insert, leave out, exchange or swap with the next to make one word of the other
/// (Damerau-Levenshtein distance).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      d[i][j] = i + j;
      if (i == 0 || j == 0) continue;
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// How far two keys are apart: one is a whole word of the other, its beginning, or a few letters
/// different; nothing if they are unrelated.
std::optional<std::size_t> distance_if_near(const std::string& asked, const std::string& known) {
  constexpr std::size_t least = 3; // fewer letters say nothing
  if (known == asked) return 0;    // except for a plural
  if ((" " + known + " ").find(" " + asked + " ") != std::string::npos) return 1;
  if (asked.size() >= least && known.starts_with(asked)) return 2;
  if (known.size() >= least && (asked + " ").find(known + " ") == 0) return 2;
  const std::size_t far = distance(asked, known);
  if (asked.size() >= least && far <= std::max<std::size_t>(1, asked.size() / 4)) return 2 + far;
  return std::nullopt;
}

} // namespace

std::string joined(const Names& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

Names known_models() { return {model_names.begin(), model_names.end()}; }
Names known_pages() { return {"large", "system"}; }
Names known_data_kinds() { return {data_kind_names.begin(), data_kind_names.end()}; }
Names known_size_sets() {
  Names names;
  for (const SizeSet& set : size_sets)
    names.emplace_back(set.name);
  return names;
}
Names known_failures() {
  return {"wrong", std::string(name_of(Verdict::slower)),
          std::string(name_of(Verdict::inconclusive)), "none"};
}
Names known_types() {
  Names names;
  for (const TypeInfo& type : type_table)
    names.emplace_back(type.name);
  return names;
}
std::string usual_algorithms() {
  Names names;
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.usual) names.emplace_back(algorithm.name);
  if (names.size() < 2) return joined(names);
  const std::string last = " and " + names.back();
  names.pop_back();
  return joined(names) + last;
}

Names known_algorithms() {
  Names names;
  for (const Algorithm& algorithm : algorithms())
    names.emplace_back(algorithm.name);
  return names;
}
Names known_variants(const Names& of_algorithms) {
  const auto concerns = [&](std::string_view algorithm) {
    return of_algorithms.empty() ||
           std::find(of_algorithms.begin(), of_algorithms.end(), algorithm) != of_algorithms.end();
  };
  std::set<std::string> names;
  for (const Variant& variant : variants())
    if (concerns(variant.algorithm)) names.emplace(variant.name);
  return {names.begin(), names.end()};
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string word_key(std::string text) {
  text = lower_case(std::move(text));
  for (char& c : text)
    if (c == '_' || c == '-') c = ' ';
  if (text.ends_with("ies")) return text.substr(0, text.size() - 3) + "y";
  if (text.ends_with("sses")) return text.substr(0, text.size() - 2);
  const bool plural = text.size() > 3 && text.ends_with('s') && !text.ends_with("ss") &&
                      !text.ends_with("us") && !text.ends_with("is");
  return plural ? text.substr(0, text.size() - 1) : text;
}

Names nearest(const std::string& word, const Names& known) {
  std::map<std::string, std::size_t> distances; // of the near ones
  for (const std::string& one : known)
    if (const auto far = distance_if_near(word_key(word), word_key(one))) distances[one] = *far;
  Names words;
  for (const auto& [name, far] : distances)
    words.push_back(name);
  std::stable_sort(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    return distances[a] < distances[b];
  });
  words.resize(std::min<std::size_t>(words.size(), 5));
  return words;
}

std::string or_near(const std::string& word, const Names& known) {
  const Names near = nearest(word, known);
  return near.empty() ? "; there are: " + joined(known) : "; is it " + near.front() + "?";
}

void check_name(const std::string& name, const Names& known, const std::string& option) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(option + ": no '" + name + "'" + or_near(name, known));
}

void expand_patterns(Names& names, const Names& known) {
  Names expanded;
  for (const std::string& name : names) {
    const std::size_t before = expanded.size();
    if (name.find_first_of("*?") != std::string::npos)
      std::copy_if(
          known.begin(), known.end(), std::back_inserter(expanded),
          [&](const std::string& one) { return fnmatch(name.c_str(), one.c_str(), 0) == 0; });
    if (expanded.size() == before) expanded.push_back(name);
  }
  names = expanded;
}

void check_names(Names& names, const Names& known, const std::string& option) {
  if (std::find(names.begin(), names.end(), "all") != names.end()) names.clear();
  expand_patterns(names, known);
  for (const std::string& name : names)
    check_name(name, known, option);
}

std::size_t parse_size(const std::string& text, const std::string& option, const Kind& kind) {
  const std::string none = "is not " + std::string(kind.name);
  const auto bad = [&](const std::string& why) {
    throw UsageError(option + " " + text + ": " + why + "; write " + std::string(kind.examples));
  };
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) bad("is too large");
  if (error != std::errc{}) bad(none);
  const std::string suffix(rest, end);
  if (!suffix.empty() && suffix[0] == '^') {
    const auto exponent = whole_number(suffix.substr(1));
    if (!exponent) bad(none);
    if (*exponent > 63) bad("is too large");
    std::size_t power = 1;
    for (std::size_t k = 0; k < *exponent; ++k)
      if (__builtin_mul_overflow(power, value, &power)) bad("is too large");
    return power;
  }
  const std::map<std::string, std::size_t> suffixes{
      {"", 1},          {"k", 1000},      {"M", 1000000},  {"G", 1000000000},
      {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
  const auto factor = suffixes.find(suffix);
  if (factor == suffixes.end()) bad(none);
  if (__builtin_mul_overflow(value, factor->second, &value)) bad("is too large");
  return value;
}

std::size_t parse_bytes(const std::string& text, const std::string& option) {
  const bool unit = text.size() > 1 && text.back() == 'B';
  std::size_t bytes = 0;
  try {
    bytes = parse_size(unit ? text.substr(0, text.size() - 1) : text, option);
  } catch (const UsageError&) {
    throw UsageError(option + " " + text + ": is no size in bytes; write 2GiB, 500MB or 2^31");
  }
  if (bytes == 0) throw UsageError(option + " " + text + ": must be at least 1 byte");
  return bytes;
}

std::size_t parse_count(const std::string& text, const std::string& option, std::size_t least) {
  constexpr std::size_t most = 1'000'000;
  const std::size_t count = parse_size(text, option, {"a count", "10, say"});
  if (count < least || count > most)
    throw UsageError(option + " " + text + ": must be from " + std::to_string(least) + " to " +
                     std::to_string(most));
  return count;
}

double parse_seconds(const std::string& text, const std::string& option) {
  return parse_number(text, option, "a number of seconds", 3600);
}

double parse_percent(const std::string& text, const std::string& option) {
  return parse_number(text, option, "a number of per cent", 100);
}

double parse_ratio(const std::string& text, const std::string& option) {
  return parse_number(text, option, "a ratio", 1000);
}

int parse_launch(const std::string& text, const std::string& option, const Kind& kind) {
  const std::size_t size = parse_size(text, option, kind);
  if (size < 1 || size > INT_MAX)
    throw UsageError(option + " " + text + ": must be from 1 to " + std::to_string(INT_MAX));
  return static_cast<int>(size);
}

std::map<std::string, std::string> parse_files(const Names& texts, const std::string& option) {
  std::map<std::string, std::string> files;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError(option + " " + text + ": write ARRAY=FILE, for example " + option +
                       " a=a.npy");
    const auto [entry, is_new] = files.emplace(text.substr(0, equals), text.substr(equals + 1));
    if (!is_new)
      throw UsageError(option + " " + text + ": " + entry->first + " was already given as " +
                       entry->second);
  }
  return files;
}

BackendSpec parse_backend(const std::string& text, const std::string& option) {
  const std::size_t colon = text.find(':');
  BackendSpec spec{text.substr(0, colon), 0};
  if (colon != std::string::npos)
    spec.threads = parse_threads(text.substr(colon + 1), option + " " + text);
  if (spec.name.empty())
    throw UsageError(option + " " + text + ": write a backend's name, such as openmp");
  return spec;
}

ReferenceSpec parse_reference(const std::string& text) {
  const std::size_t slash = text.find('/'), at = text.find('@');
  if (slash == std::string::npos || (at != std::string::npos && at < slash))
    throw UsageError("--reference " + text +
                     ": write MODEL/VARIANT[@BACKEND[:THREADS]], for example openmp/team@openmp:1");
  ReferenceSpec spec;
  spec.model = text.substr(0, slash);
  spec.variant = text.substr(slash + 1, at == std::string::npos ? at : at - slash - 1);
  if (at != std::string::npos) spec.backend = parse_backend(text.substr(at + 1), "--reference");
  check_name(spec.model, known_models(), "--reference, model");
  check_name(spec.variant, known_variants(), "--reference, variant");
  return spec;
}

Names take_kokkos_arguments(Names& arguments) {
  Names taken;
  for (auto it = arguments.begin(); it != arguments.end();) {
    if (it->rfind("--kokkos-", 0) != 0) {
      ++it;
      continue;
    }
    const bool value_apart = it->find('=') == std::string::npos && it + 1 != arguments.end() &&
                             (it + 1)->rfind("-", 0) != 0;
    if (value_apart)
      throw UsageError(*it + " " + *(it + 1) + ": Kokkos takes its values with '=': write " + *it +
                       "=" + *(it + 1));
    check_kokkos_value(*it);
    taken.push_back(*it);
    it = arguments.erase(it);
  }
  return taken;
}

} // namespace ado::bench
