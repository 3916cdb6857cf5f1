// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/array_image.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/stats/statistics.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <cstring>

namespace ado::bench {

std::size_t image_bytes(const ArraySpec& spec, Type type, const Placement& placement) {
  const std::string what = "array " + std::string(spec.name);
  const std::size_t element = size_of(spec.type(type));
  Extents extent = spec.extent;
  if (spec.rank >= 2) extent[spec.rank - 1] += placement.padding;
  const std::size_t bytes =
      checked_product({extent[0], extent[1], extent[2], element}, what.c_str());
  const std::size_t between_sets =
      spec.rank < 3 ? 0
                    : checked_product({extent[0], placement.set_padding, element}, what.c_str());
  constexpr std::size_t most = static_cast<std::size_t>(-1) / 4;
  if (bytes > most || between_sets > most) throw OutOfMemory(what, bytes);
  return round_up(bytes + between_sets + placement.offset * element, 8) + 2 * guard_bytes;
}

Array array_in(void* image, const ArraySpec& spec, Type type, const Placement& placement) {
  Array array = packed_array(nullptr, spec.extent);
  if (spec.rank >= 2) { // the stride of the rows grows, and the larger ones with it
    const int row = spec.rank - 2;
    array.stride[row] += placement.padding;
    if (spec.rank == 3) array.stride[0] = spec.extent[1] * array.stride[1] + placement.set_padding;
  }
  array.data =
      static_cast<std::byte*>(image) + guard_bytes + placement.offset * size_of(spec.type(type));
  return array;
}

std::uint64_t poison(Type type, unsigned turn) {
  const TypeInfo& facts = info(type);
  const bool even = turn % 2 == 0;
  if (!facts.floating) return even ? 0xa5a5a5a5a5a5a5a5u : 0x5a5a5a5a5a5a5a5au;
  const std::uint64_t nan =
      facts.unit_roundoff == 0x1p-24 ? 0x7fc0ad007fc0ad00u : 0x7ff8ad007fc0ad00u;
  return even ? nan : nan + 0x0000000100000001u;
}

bool holds(const void* bytes, std::size_t count, std::size_t place, std::uint64_t pattern) {
  const auto* found = static_cast<const std::byte*>(bytes);
  const auto* expected = reinterpret_cast<const std::byte*>(&pattern);
  for (std::size_t k = 0; k < count; ++k)
    if (found[k] != expected[(place + k) % 8]) return false;
  return true;
}

std::vector<std::size_t> elements_that_hold(const Array& output, Type type, std::uint64_t pattern) {
  const TypeInfo& facts = info(type);
  std::vector<std::size_t> found;
  if (!facts.floating) return found;
  with_element(facts.bytes, [&](auto element) {
    using E = decltype(element);
    E poisoned;
    const std::uint64_t words[2] = {pattern, pattern};
    std::memcpy(&poisoned, words, sizeof poisoned);
    const ArrayRows rows(output);
    const auto row_of = [&](std::size_t i) { return output.as<const E>() + rows.start(i); };
    std::size_t count = 0; // usually none
#pragma omp parallel for reduction(+ : count)
    for (std::size_t i = 0; i < rows.count; ++i)
      count += static_cast<std::size_t>(std::count(row_of(i), row_of(i) + rows.length, poisoned));
    for (std::size_t i = 0; found.size() < count; ++i)
      for (std::size_t j = 0; j < rows.length; ++j)
        if (row_of(i)[j] == poisoned) found.push_back(i * rows.length + j);
  });
  return found;
}

std::string not_written(const Array& output, std::size_t element) {
  return ArrayRows(output).place(element) + " was not written";
}

void add_unwritten(Check& check, const Array& output, Type type, std::uint64_t pattern) {
  if (check.ok) return;
  const std::vector<std::size_t> unwritten = elements_that_hold(output, type, pattern);
  if (!unwritten.empty()) check.first_wrong = not_written(output, unwritten.front());
}

void add_damage(Check& check, const std::string& damage) {
  if (damage.empty()) return;
  check.first_wrong = damage; // this says more than the wrong value that it may have caused
  check.ok = false;
  ++check.wrong;
}

void merge(Check& all, const Check& part, const std::string& where) {
  all.ok = all.ok && part.ok;
  all.wrong += part.wrong;
  all.worst_bound_share = larger(all.worst_bound_share, part.worst_bound_share);
  all.max_error = larger(all.max_error, part.max_error);
  if (all.first_wrong.empty() && !part.first_wrong.empty())
    all.first_wrong = where + part.first_wrong;
  if (all.unlikely.empty() && !part.unlikely.empty()) all.unlikely = where + part.unlikely;
}

} // namespace ado::bench
