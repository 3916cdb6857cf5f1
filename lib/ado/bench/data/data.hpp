// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a case in host memory: made from a seed, or read from files.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/registry/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

enum class DataKind : std::uint8_t {
  ones_twos, ///< 1 or 2: sums that fit are exact
  uniform,   ///< reals in [-1, 1], integers over their whole range
  hash,      ///< small integers that depend on the place: shows any misplaced element
};
inline constexpr std::array<std::string_view, 3> data_kind_names{"ones_twos", "uniform", "hash"};
constexpr std::string_view name_of(DataKind kind) {
  return data_kind_names[static_cast<std::size_t>(kind)];
}
std::optional<DataKind> data_kind_named(std::string_view name);

/// Fills `count` elements, from index `first` on, with data that depends only on seed, array name
/// and index. Works in parallel: each thread fills the memory that it will read later.
void fill_data(void* data, Type type, std::size_t count, DataKind kind, std::uint64_t seed,
               std::string_view array_name, std::size_t first = 0);

/// Fills it with whole numbers from 1 to `largest`, at most 2^32, of either sign; else the same.
void fill_whole_numbers(void* data, Type type, std::size_t count, double largest,
                        std::uint64_t seed, std::string_view array_name, std::size_t first = 0);

/// Puts a number above all made ones and one below into each row: at the two ends, the other way
/// round, or in the last columns of tiles, row by row.
void put_extremes(const Array& array, Type type);

/// Files that feed an algorithm's arrays, and the shape and type that they fix.
struct InputFiles {
  std::map<std::string, std::string> path;  ///< by array name
  std::map<std::string, std::size_t> sizes; ///< by SizeName::name
  std::optional<Type> type;                 ///< of arrays without a type of their own
};

/// Picks the files of `inputs` ("a" or "yax.a") that belong to `algorithm`, reads their headers and
/// finds the sizes. Throws InputError if they contradict each other.
InputFiles match_inputs(const Algorithm& algorithm,
                        const std::map<std::string, std::string>& inputs);

/// A row-major array of these extents without gaps.
Array packed_array(void* data, const Extents& extent);
std::size_t element_count(const ArraySpec& spec);
/// Index of the largest input that has the run's type, the first of several; else of the largest
/// with a type of its own. Absent: there are no inputs.
std::optional<std::size_t> largest_input(const std::vector<ArraySpec>& specs);

} // namespace ado::bench
