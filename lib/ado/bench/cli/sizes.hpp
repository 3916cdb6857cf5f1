// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problem sizes that no option and no file sets.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/registry/algorithm.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace ado::bench {

/// The shape without --sizes: all arrays together are beyond the caches. On a host they have 64 MiB
/// a thread at least, up to 1 GiB; on a GPU they take long enough to hide a launch. No side is a
/// power of two, and no measurement goes in, so a machine always gets the same sizes. If operations
/// grow faster than the arrays (n^2 of n), they are at most what plain code does in a second.
Shape default_shape(const Algorithm& algorithm, Type type, const Device& device);

/// A set of sizes for --sizes: the same on every machine, so that records of several can be joined.
struct SizeSet {
  std::string_view name, meaning;
  std::size_t bytes; ///< of the largest array, roughly; 0: Algorithm::classic
  double most_flops; ///< if they grow faster than the arrays
};

/// Powers of ten keep sides from being powers of two, whose rows would share a few cache sets.
inline constexpr std::array size_sets{
    SizeSet{"classic", "those of published figures, powers of two", 0, 0},
    SizeSet{"small", "a largest array of about 100 MB, so that a laptop has the memory",
            100'000'000, 2e9},
    SizeSet{"large", "one of about 1 GB, beyond the caches of most machines", 1'000'000'000, 2e10}};

/// Throws UsageError if the set is the classic one and the algorithm has no classic sizes.
Shape shape_of(const SizeSet& set, const Algorithm& algorithm, Type type);

} // namespace ado::bench
