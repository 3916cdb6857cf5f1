// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks the rungs of vector_add launch.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/registry/types.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench::native {

inline constexpr unsigned add_threads = 256;
/// More blocks are not asked for: they would be of one unit a thread with 2^32 units.
inline constexpr int most_blocks = 1 << 24;

/// As many as `asked` for, 0 for one of `units` a thread.
inline std::size_t blocks_for(std::size_t units, int asked, const char* name) {
  const std::size_t usual = std::clamp<std::size_t>(ceil_div(units, add_threads), 1, most_blocks);
  return checked_league_size(asked, static_cast<int>(usual), most_blocks, name);
}

} // namespace ado::bench::native
