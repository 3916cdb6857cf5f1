// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp explain WORD: what a word in tables, records and messages means.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace ado {

struct Explanation {
  std::string word;
  std::string kind; ///< "column of the table", "limiter", "variant of yax", ...
  std::string text; ///< one line or several
};

/// Of every column, field of a record, limiter, verdict, algorithm, variant, exit status and term,
/// from where each is defined. A word may have several.
std::vector<Explanation> explanations();

/// These words in order, each once.
std::vector<std::string> explained_words();

/// The program: `arguments` are those behind "explain", together one word; none: all words are
/// listed. Throws UsageError for a word that has no explanation.
int explain_command(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace ado
