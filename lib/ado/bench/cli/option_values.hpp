// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the text of an option to its value. All throw UsageError, naming `option`, where the text is
// none.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/kokkos/session.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

using Names = std::vector<std::string>;

/// "a, b, c"
std::string joined(const Names& words);
/// "average_mv, transpose and yax": what runs where --algorithm names none.
std::string usual_algorithms();

/// Names that an option may have, in the order in which they are shown.
Names known_models();
Names known_data_kinds();
Names known_size_sets();
Names known_types();
Names known_failures(); ///< what --fail-on may name
Names known_algorithms();
Names known_variants(const Names& of_algorithms = {}); ///< none: of all

std::string lower_case(std::string text);
/// A word as it is looked up: "bank conflicts", "Bank-Conflict" and "bank_conflict" are one.
std::string word_key(std::string text);
/// The words near to one that is not known, the nearest first: those that hold it as a word or begin with
/// it, and those that a slip of the finger makes of it. At most five, perhaps none.
Names nearest(const std::string& word, const Names& known);
/// Behind the message that a word is not known: the nearest one, or all that there are.
std::string or_near(const std::string& word, const Names& known);

void check_name(const std::string& name, const Names& known, const std::string& option);
/// Puts the known names that it fits in the place of a pattern, `row_*`; leaves one that fits none.
void expand_patterns(Names& names, const Names& known);
/// Empties a list that holds `all` and expands patterns; throws for a name that nobody knows.
void check_names(Names& names, const Names& known, const std::string& option);

/// What an option counts, for the message that a text is none: "a count", and what to write.
struct Kind {
  std::string_view name, examples;
};
inline constexpr Kind a_size{"a size", "4096, 2^12, 4k or 4Ki"};

/// "4096", "2^12", "4k" (1000), "4Ki" (1024)
std::size_t parse_size(const std::string& text, const std::string& option,
                       const Kind& kind = a_size);
/// The same of bytes, one at least: "2GiB" and "2Gi" are one size.
std::size_t parse_bytes(const std::string& text, const std::string& option);
/// From `least` to a million.
std::size_t parse_count(const std::string& text, const std::string& option, std::size_t least);
/// From 0 to 3600.
double parse_seconds(const std::string& text, const std::string& option);
/// From 0 to 100.
double parse_percent(const std::string& text, const std::string& option);
double parse_ratio(const std::string& text, const std::string& option);
/// A number of threads or teams, which Kokkos and CUDA count in int, or a stride.
int parse_launch(const std::string& text, const std::string& option, const Kind& kind);

/// Files by array name, from ARRAY=FILE texts.
std::map<std::string, std::string> parse_files(const Names& texts, const std::string& option);
/// NAME[:THREADS]
BackendSpec parse_backend(const std::string& text, const std::string& option);
/// MODEL/VARIANT[@BACKEND[:THREADS]]
ReferenceSpec parse_reference(const std::string& text);

/// Takes the --kokkos-* arguments out of the command line. `--kokkos-device-id 0` would abort in
/// Kokkos with a core dump, so a value that stands apart is refused here.
Names take_kokkos_arguments(Names& arguments);

} // namespace ado
