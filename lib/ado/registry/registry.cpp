// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <tuple>

namespace ado::bench {
namespace {

// Function-local so that the lists exist before the first registration, whatever the link order.
std::vector<Algorithm>& algorithm_list() {
  static std::vector<Algorithm> list;
  return list;
}
std::vector<Variant>& variant_list() {
  static std::vector<Variant> list;
  return list;
}
std::vector<Variant>& rank_variant_list() {
  static std::vector<Variant> list;
  return list;
}
std::vector<Card>& card_list() {
  static std::vector<Card> list;
  return list;
}

// Kept sorted: link order must not show in tables.
template <class Record, class Key>
void insert_sorted(std::vector<Record>& list, const Record& record, Key key) {
  const auto after = [&](const Record& a, const Record& b) { return key(a) < key(b); };
  list.insert(std::upper_bound(list.begin(), list.end(), record, after), record);
}
void insert_variant(std::vector<Variant>& list, const Variant& variant) {
  insert_sorted(list, variant, [](const Variant& v) {
    return std::tuple(v.algorithm, v.model, v.name, v.backend);
  });
}

} // namespace

const std::vector<Algorithm>& algorithms() { return algorithm_list(); }
const std::vector<Variant>& variants() { return variant_list(); }
const std::vector<Card>& cards() { return card_list(); }

const Algorithm* find_algorithm(std::string_view name) {
  const auto& list = algorithms();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Algorithm& a) { return a.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool is_best(const Variant& variant) {
  const Algorithm& algorithm = *find_algorithm(variant.algorithm);
  return variant.name == (is_portable(variant.model) ? algorithm.best_portable() : algorithm.best);
}

std::string_view twin_name(const Variant& portable) {
  return is_best(portable) ? find_algorithm(portable.algorithm)->best : portable.name;
}

std::size_t place_of(const Algorithm& algorithm, std::string_view variant) {
  std::size_t place = 0;
  for (const auto* list : {&algorithm.ladder, &algorithm.exhibits}) {
    const auto found = std::find(list->begin(), list->end(), variant);
    place += static_cast<std::size_t>(found - list->begin());
    if (found != list->end()) break;
  }
  return place;
}

void take_rank_records(const std::vector<Algorithm>& of_ranks) {
  algorithm_list() = of_ranks;
  std::erase_if(variant_list(), [](const Variant& v) {
    const Algorithm* algorithm = find_algorithm(v.algorithm);
    return algorithm == nullptr || algorithm->part == nullptr;
  });
  for (const Variant& variant : rank_variant_list())
    insert_variant(variant_list(), variant);
}

Registration::Registration(const Variant& variant) {
  insert_variant(variant.on_ranks ? rank_variant_list() : variant_list(), variant);
}

Registration::Registration(const Algorithm& algorithm) {
  insert_sorted(algorithm_list(), algorithm, [](const Algorithm& a) { return a.name; });
}

Registration::Registration(const Card& card) {
  insert_sorted(card_list(), card, [](const Card& c) { return c.file; });
}

} // namespace ado::bench
