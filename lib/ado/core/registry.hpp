// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All algorithms and variants of the program. Each registers itself with one object at namespace
// scope in its own file; the records hold literals and function pointers only, so they may be made
// before Kokkos or CUDA is initialized.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/variant.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// Every registered algorithm, by name.
const std::vector<Algorithm>& algorithms();
/// Every registered variant, by algorithm, then model, then name, then backend.
const std::vector<Variant>& variants();

/// Several ranks run the program: from now on it has these algorithms, and of the variants those
/// with Variant::on_ranks and those of algorithms with a part().
void take_rank_records(const std::vector<Algorithm>& of_ranks);

/// The algorithm of that name, or null.
const Algorithm* find_algorithm(std::string_view name);

/// Whether all rungs of its algorithm lead to it, in its model.
bool is_best(const Variant& variant);

/// What the variant by hand is called that does the same as a portable one.
std::string_view twin_name(const Variant& portable);

/// Where the variant is shown: in the order of the ladder, then of the exhibits; behind all others
/// where neither has it.
std::size_t place_of(const Algorithm& algorithm, std::string_view variant);

/// What is wrong with records, a line each that names the record and its member; empty: nothing.
/// The program asks at its start.
std::vector<std::string> mistakes_in_records(const std::vector<Algorithm>& algorithms,
                                             const std::vector<Variant>& variants);

/// The comment with which a variant's file opens, as text of the program.
struct Card {
  std::string_view file; ///< "lib/ado/yax/kokkos/tuned.cpp"
  std::string_view text;
};
/// Those of all variants' files; cmake/Cards.cmake makes them when the program is built.
const std::vector<Card>& cards();

/// Adds a record at load time: `const ado::Registration mine{ado::Algorithm{...}};`
struct Registration {
  explicit Registration(const Variant& variant);
  explicit Registration(const Algorithm& algorithm);
  explicit Registration(const Card& card);
};

} // namespace ado
