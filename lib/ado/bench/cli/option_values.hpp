// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the text of an option to its value. Invalid text throws UsageError, which names `option`.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/kokkos/session.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

using Names = std::vector<std::string>;

/// "a, b, c"
std::string joined(const Names& words);
/// What runs without --algorithm: "average_mv, transpose and yax".
std::string usual_algorithms();

/// Names that options accept, in the order in which they are shown.
Names known_models();
Names known_data_kinds();
Names known_pages();
Names known_size_sets();
Names known_types();
Names known_failures(); ///< names that --fail-on accepts
Names known_algorithms();
Names known_variants(const Names& of_algorithms = {}); ///< empty: of all algorithms

std::string lower_case(std::string text);
/// The lookup key of a word: "bank conflicts", "Bank-Conflict" and "bank_conflict" share one.
std::string word_key(std::string text);
/// Known words close to an unknown one, nearest first: those that contain it as a word, begin with
/// it, or differ by a typo. At most five, possibly none.
Names nearest(const std::string& word, const Names& known);
/// Ends the message about an unknown word: the nearest known one, or all of them.
std::string or_near(const std::string& word, const Names& known);

void check_name(const std::string& name, const Names& known, const std::string& option);
/// Replaces a pattern such as `row_*` by the known names it matches; keeps one that matches none.
void expand_patterns(Names& names, const Names& known);
/// Empties a list that holds `all` and expands patterns; throws for an unknown name.
void check_names(Names& names, const Names& known, const std::string& option);

/// What an option counts, for error messages: "a count", and what to write.
struct Kind {
  std::string_view name, examples;
};
inline constexpr Kind a_size{"a size", "4096, 2^12, 4k or 4Ki"};

/// "4096", "2^12", "4k" (1000), "4Ki" (1024)
std::size_t parse_size(const std::string& text, const std::string& option,
                       const Kind& kind = a_size);
/// The same for bytes, at least one: "2GiB" and "2Gi" are the same size.
std::size_t parse_bytes(const std::string& text, const std::string& option);
/// From `least` to a million.
std::size_t parse_count(const std::string& text, const std::string& option, std::size_t least);
/// From 0 to 3600.
double parse_seconds(const std::string& text, const std::string& option);
/// From 0 to 100.
double parse_percent(const std::string& text, const std::string& option);
double parse_ratio(const std::string& text, const std::string& option);
/// A thread or team count, which Kokkos and CUDA hold in an int, or a stride.
int parse_launch(const std::string& text, const std::string& option, const Kind& kind);

/// Files by array name, from texts ARRAY=FILE.
std::map<std::string, std::string> parse_files(const Names& texts, const std::string& option);
/// NAME[:THREADS]
BackendSpec parse_backend(const std::string& text, const std::string& option);
/// MODEL/VARIANT[@BACKEND[:THREADS]]
ReferenceSpec parse_reference(const std::string& text);

/// Takes the --kokkos-* arguments out of the command line. Refuses a value that stands apart:
/// `--kokkos-device-id 0` would make Kokkos abort with a core dump.
Names take_kokkos_arguments(Names& arguments);

} // namespace ado::bench
