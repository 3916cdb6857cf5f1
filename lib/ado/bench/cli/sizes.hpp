// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes that a problem has where no option and no file gives them.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/core/algorithm.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace ado {

/// Without --sizes: on a GPU the classic ones where they fit, else a largest array of 64 MiB a thread (that
/// takes each about 10 ms), at most 1 GiB, but at least four times the last-level cache, with sides that are
/// multiples of 64. Nothing measured goes in: a machine always gets the same sizes.
Shape default_shape(const Algorithm& algorithm, Type type, const Device& device);

/// What --sizes names: the same sizes on every machine, so that records of several can be joined.
struct SizeSet {
  std::string_view name, meaning;
  std::size_t bytes; ///< of the largest array, about; 0: the sizes are Algorithm::classic
};

/// Powers of ten give sides that are no powers of two, so that rows do not fall into few sets of a cache.
inline constexpr std::array size_sets{
    SizeSet{"classic", "those of published figures, powers of two", 0},
    SizeSet{"small", "a largest array of about 100 MB, so that a laptop has the memory",
            100'000'000},
    SizeSet{"large", "one of about 1 GB, beyond the caches of most machines", 1'000'000'000}};

/// Throws UsageError where the algorithm has no classic sizes and the set is these.
Shape shape_of(const SizeSet& set, const Algorithm& algorithm, Type type);

} // namespace ado
