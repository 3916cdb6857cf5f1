// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads JSON from files that anybody may have written. Private to readers of records and journals.
#pragma once

#include <ado/bench/io/printable.hpp>
#include <ado/core/error.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace ado::bench {

/// Makes all texts in it printable.
inline void make_printable(nlohmann::json& document) {
  if (document.is_string())
    document = printable(document.get<std::string>());
  else if (document.is_structured())
    for (nlohmann::json& part : document)
      make_printable(part);
}

/// Parses at most 32 levels, eight times what a record has: a level costs a hundred times the
/// memory of its bracket, and a stack frame to print. Throws Error for more, and the parser's own
/// exceptions. Counts levels beforehand because the parser with a callback takes quadratic time.
inline nlohmann::json parse_shallow_json(const std::string& text) {
  constexpr int most_levels = 32;
  int level = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') quoted = !quoted;
    if (quoted) {
      if (c == '\\') ++k; // skip the escaped character
      continue;
    }
    level += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (level > most_levels)
      throw Error("is nested deeper than " + std::to_string(most_levels) + " levels");
  }
  return nlohmann::json::parse(text);
}

/// The same, with texts made printable for a terminal.
inline nlohmann::json parse_printable_json(const std::string& text) {
  nlohmann::json document = parse_shallow_json(text);
  make_printable(document);
  return document;
}

} // namespace ado::bench
