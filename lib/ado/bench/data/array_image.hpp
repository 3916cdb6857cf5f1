// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array with its surroundings: guards that nobody may write, and a pattern that shows what was
// written.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/registry/array.hpp>
#include <ado/registry/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ado::bench {

/// Guard bytes before and after every array.
inline constexpr std::size_t guard_bytes = 256;
/// What workspaces hold before use: NaN for float and double.
inline constexpr std::uint64_t workspace_pattern = 0x7ff8bad07fc0bad0u;

/// How an array lies in memory. Tests use odd values, the mini-app rows_apart().
struct Placement {
  std::size_t padding = 0;     ///< elements between its rows
  std::size_t offset = 0;      ///< elements by which it is off the allocation's alignment
  std::size_t set_padding = 0; ///< additional elements between its sets of rows
};

/// Pads rows, and sets by as many elements more: confusing the two strides reads wrong elements.
constexpr Placement rows_apart(std::size_t padding) {
  return {.padding = padding, .set_padding = padding};
}

/// The placement of each array of a problem.
struct Placements {
  std::array<Placement, most_arrays - 1> input{};
  Placement output{};

  Placements() = default;
  /// Implicit: all arrays are placed alike.
  Placements(const Placement& of_all) : Placements(of_all, of_all) {}
  Placements(const Placement& of_inputs, const Placement& of_output) : output(of_output) {
    input.fill(of_inputs);
  }
};

/// Bytes of one array's allocation in a run of that type; throws InvalidArgument on overflow.
std::size_t image_bytes(const ArraySpec& spec, Type type, const Placement& placement = {});

/// The array inside an allocation of image_bytes().
Array array_in(void* image, const ArraySpec& spec, Type type, const Placement& placement = {});

/// What outputs hold before a run: one of two alternating patterns, NaNs if the type has any. A
/// right result may equal one of them, not both.
std::uint64_t poison(Type type, unsigned turn);

/// Whether `count` bytes still hold the pattern that filled an allocation; `place` is the place of
/// the first byte in it.
bool holds(const void* bytes, std::size_t count, std::size_t place, std::uint64_t pattern);

/// Elements of an output in host memory that hold the pattern, counted row by row, ascending. Only
/// of floating-point outputs: an integer may be right, or the oracle calls it wrong.
std::vector<std::size_t> elements_that_hold(const Array& output, Type type, std::uint64_t pattern);

/// "[i][j] was not written", for an element counted that way.
std::string not_written(const Array& output, std::size_t element);

/// Says where a wrong output still holds the pattern. A right one may: see poison().
void add_unwritten(Check& check, const Array& output, Type type, std::uint64_t pattern);

/// Adds damaged memory to a check's findings; empty: there was none.
void add_damage(Check& check, const std::string& damage);

/// Adds what the check of a part found to that of all; `where` says which part.
void merge(Check& all, const Check& part, const std::string& where);

} // namespace ado::bench
