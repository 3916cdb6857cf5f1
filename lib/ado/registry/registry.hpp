// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All algorithms and variants of the program. Each registers itself with one object at namespace
// scope in its own file. Records hold only literals and function pointers, so they can be made
// before Kokkos or CUDA is initialized.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/registry/variant.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// Every registered algorithm, by name.
const std::vector<Algorithm>& algorithms();
/// Every registered variant, by algorithm, then model, then name, then backend.
const std::vector<Variant>& variants();

/// Several ranks run the program: from now on it has these algorithms, and only the variants with
/// Variant::on_ranks and those of algorithms with a part().
void take_rank_records(const std::vector<Algorithm>& of_ranks);

/// The algorithm of that name, or null.
const Algorithm* find_algorithm(std::string_view name);

/// Whether all rungs of its model lead to it.
bool is_best(const Variant& variant);

/// The name of the hand-written variant that does the same as a portable one.
std::string_view twin_name(const Variant& portable);

/// The place where the variant is shown: first the ladder, then the exhibits, then all others.
std::size_t place_of(const Algorithm& algorithm, std::string_view variant);

/// What is wrong with records, one line each that names the record and its member; empty: nothing.
/// The program asks at its start.
std::vector<std::string> mistakes_in_records(const std::vector<Algorithm>& algorithms,
                                             const std::vector<Variant>& variants);

/// The opening comment of a variant's file, as text in the program.
struct Card {
  std::string_view file; ///< "lib/ado/yax/kokkos/tuned.cpp"
  std::string_view text;
};
/// Cards of all variants' files; cmake/Cards.cmake makes them when the program is built.
const std::vector<Card>& cards();

/// Adds a record at load time: `const Registration mine{Algorithm{...}};`
struct Registration {
  explicit Registration(const Variant& variant);
  explicit Registration(const Algorithm& algorithm);
  explicit Registration(const Card& card);
};

} // namespace ado::bench
