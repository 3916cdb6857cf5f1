// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message for rows that a library would distribute in another way.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/registry/algorithm.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace ado::bench {

/// Why `library` cannot transpose this shape: it cuts rows and columns into blocks of ceil(total /
/// ranks), the last one smaller, but ado cuts as evenly as possible. Empty if both cuts agree.
inline std::string uneven(const Shape& shape, const std::string& library) {
  constexpr std::array names{"rows", "columns"};
  const int ranks = comm_of_ranks().size();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const distributed::Blocks blocks(shape[k], ranks);
    for (int rank = 0; rank < ranks; ++rank)
      if (blocks.first(rank) !=
          std::min(shape[k], static_cast<std::size_t>(rank) * blocks.count(0)))
        return library + " gives each of " + std::to_string(ranks) + " ranks " +
               std::to_string(blocks.count(0)) + " of " + std::to_string(shape[k]) + " " +
               names[k] + ", the last what is left; choose a multiple of the ranks";
  }
  return "";
}

} // namespace ado::bench
