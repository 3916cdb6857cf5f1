// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array with what lies around it: guards that belong to nobody, and a pattern that shows what was
// written.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/array.hpp>
#include <ado/core/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ado {

/// Bytes before and after every array that belong to nobody.
inline constexpr std::size_t guard_bytes = 256;
/// What workspaces hold before they are used: NaN for float and for double.
inline constexpr std::uint64_t workspace_pattern = 0x7ff8bad07fc0bad0u;

/// How an array lies in memory. Tests use odd values, the mini-app rows_apart().
struct Placement {
  std::size_t padding = 0;     ///< elements between its rows
  std::size_t offset = 0;      ///< elements by which it misses the allocation's alignment
  std::size_t set_padding = 0; ///< elements more between its sets of rows
};

/// Rows apart, and sets by as many elements more: who takes one stride for the other reads the wrong ones.
constexpr Placement rows_apart(std::size_t padding) {
  return {.padding = padding, .set_padding = padding};
}

/// Of each array of a problem.
struct Placements {
  std::array<Placement, most_arrays - 1> input{};
  Placement output{};

  Placements() = default;
  /// Implicit: all arrays lie alike.
  Placements(const Placement& of_all) : Placements(of_all, of_all) {}
  Placements(const Placement& of_inputs, const Placement& of_output) : output(of_output) {
    input.fill(of_inputs);
  }
};

/// Bytes of one array's allocation in a run of that type; throws InvalidArgument where they overflow.
std::size_t image_bytes(const ArraySpec& spec, Type type, const Placement& placement = {});

/// The array inside an allocation of image_bytes().
Array array_in(void* image, const ArraySpec& spec, Type type, const Placement& placement = {});

/// What outputs hold before a run: one of two patterns by turn, NaNs where the type has any. A result may equal one
/// of them, not both.
std::uint64_t poison(Type type, unsigned turn);

/// Whether `count` bytes hold a pattern that an allocation was filled with, in which the first of them has
/// that place.
bool holds(const void* bytes, std::size_t count, std::size_t place, std::uint64_t pattern);

/// Which elements of an output in host memory hold the pattern, counted through the rows, ascending. Of
/// floating-point ones; an integer that does is right, or the oracle says that it is wrong.
std::vector<std::size_t> elements_that_hold(const Array& output, Type type, std::uint64_t pattern);

/// "[i][j] was not written" of an element so counted.
std::string not_written(const Array& output, std::size_t element);

/// Says of a wrong output that still holds the pattern where. A right one may: see poison().
void add_unwritten(Check& check, const Array& output, Type type, std::uint64_t pattern);

/// Adds to what a check found that memory was damaged; empty: it was not.
void add_damage(Check& check, const std::string& damage);

} // namespace ado
