// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp explain WORD: what a word in tables, records and messages means.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

struct Explanation {
  std::string word;
  std::string kind; ///< "column of the table", "limiter", "variant of yax", ...
  std::string text; ///< one line or several
};

/// Explanations of every column, record field, limiter, verdict, algorithm, variant, exit status
/// and term, from where each is defined. A word may have several.
std::vector<Explanation> explanations();

/// All explained words, sorted, each once.
std::vector<std::string> explained_words();

/// The command; `arguments` are those after "explain" and form one word; without any, it lists all
/// words. Throws UsageError for a word without explanation.
int explain_command(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace ado::bench
