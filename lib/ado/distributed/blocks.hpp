// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an extent is cut among ranks.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace ado::distributed {

/// An extent cut into one block for each rank, in the order of the ranks: rank r has the indices
/// from first(r) to first(r) + count(r). Blocks may be of any size, and empty.
///
/// Example:
///
///     ado::distributed::Blocks even(1000, 3);            // 334, 333, 333
///     ado::distributed::Blocks chosen({10, 0, 25});      // the second rank has nothing
class Blocks {
public:
  /// `parts` blocks of `total` indices, as even as can be: the first total % parts have one more.
  /// \throws InvalidArgument  where parts is not positive
  Blocks(std::size_t total, int parts) : starts_{0} {
    if (parts < 1)
      throw InvalidArgument("ado::distributed::Blocks: " + std::to_string(parts) +
                            " parts; there must be one for each rank");
    const std::size_t n = parts;
    for (std::size_t part = 0; part < n; ++part)
      starts_.push_back(starts_.back() + total / n + (part < total % n ? 1 : 0));
  }
  /// Blocks of these sizes.
  /// \throws InvalidArgument  where there is none, or their sum does not fit in 64 bits
  explicit Blocks(const std::vector<std::size_t>& counts) : starts_{0} {
    if (counts.empty())
      throw InvalidArgument("ado::distributed::Blocks: no sizes; there must be one for each rank");
    for (const std::size_t count : counts) {
      if (count > std::numeric_limits<std::size_t>::max() - starts_.back())
        throw InvalidArgument(
            "ado::distributed::Blocks: the sum of the sizes does not fit in 64 bits");
      starts_.push_back(starts_.back() + count);
    }
  }

  /// How many blocks there are.
  int parts() const { return static_cast<int>(starts_.size()) - 1; }
  /// How many indices all blocks have.
  std::size_t total() const { return starts_.back(); }
  /// The first index of a block; O(1), as all that is asked.
  std::size_t first(int part) const { return starts_[part]; }
  /// How many indices a block has.
  std::size_t count(int part) const { return starts_[part + 1] - starts_[part]; }

private:
  std::vector<std::size_t> starts_; // and the end of the last
};

namespace detail {

/// `total` indices cut as even as possible where each block begins with a group of `height`; the
/// last group may be smaller.
inline Blocks blocks_of_groups(std::size_t total, std::size_t height, int parts) {
  const Blocks groups(ado::detail::ceil_div(total, height), parts);
  std::vector<std::size_t> counts;
  for (int part = 0; part < parts; ++part) {
    const std::size_t first = std::min(groups.first(part) * height, total);
    counts.push_back(std::min(groups.count(part) * height, total - first));
  }
  return Blocks(counts);
}

} // namespace detail

} // namespace ado::distributed
