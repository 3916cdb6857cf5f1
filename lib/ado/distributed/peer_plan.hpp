// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of each other rank's b a rank of a transpose fills, and in which pieces: plain C++,
// for Kokkos and CUDA alike.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace ado::distributed::detail {

/// What a rank tells the others of its b, so that they can write into it.
struct Offer {
  enum State : std::uint64_t { out_of_reach = 0, empty = 1, shared = 2 };
  std::uint64_t state = out_of_reach;
  std::uint64_t host = 0;         ///< a number of the machine
  std::uint64_t allocation = 0;   ///< a number that its process gives to no other allocation
  std::uint64_t base = 0;         ///< where the allocation begins, in its process
  std::uint64_t bytes = 0;        ///< of the allocation
  std::uint64_t offset = 0;       ///< bytes from there to b
  std::uint64_t ld = 0;           ///< elements from a row of b to the next, or from a column
  std::uint64_t by_columns = 0;   ///< whether columns are contiguous
  std::uint64_t freed_others = 0; ///< whether an allocation that it shared before is gone
  std::uint64_t can_stage = 0;    ///< whether it has memory for the way through the host already
  std::array<char, 64> handle{};  ///< what opens the allocation

  Message message() const {
    Message words{};
    static_assert(sizeof(Offer) <= sizeof(Message));
    std::memcpy(words.data(), this, sizeof(Offer));
    return words;
  }
  static Offer of(const Message& words) {
    Offer offer;
    std::memcpy(static_cast<void*>(&offer), words.data(), sizeof(Offer));
    return offer;
  }
};

/// Those of all ranks.
inline std::vector<Offer> offers_of(const std::vector<Message>& messages) {
  std::vector<Offer> offers;
  for (const Message& message : messages)
    offers.push_back(Offer::of(message));
  return offers;
}

/// Other GPUs write at the link's speed only into an allocation that is whole pages of
/// peer_page_bytes (docs/lab/constants.md#transpose).
inline constexpr std::size_t peer_page_bytes = 65536;

/// Whether others write into it at the speed of the link, or not at all.
inline bool has_whole_pages(const Offer& offer) {
  return offer.state != Offer::shared || offer.bytes % peer_page_bytes == 0;
}

/// What one rank writes of another's b: `rows` rows of `columns` neighbouring elements. A row comes
/// from a column of a, or where the columns of that b are contiguous, from a row of a.
struct Target {
  int rank;
  std::size_t rows, columns;
  std::size_t ld;           ///< elements from a row to the next
  std::size_t offset;       ///< elements from the begin of b
  std::size_t first, width; ///< which columns of a
  bool by_columns;          ///< rows are rows of a
};

/// Of all other ranks that get anything, the next one first, so that not all write to one at a
/// time.
inline std::vector<Target> targets_of(int me, const Blocks& rows, const Blocks& columns,
                                      const std::vector<Offer>& offers) {
  std::vector<Target> targets;
  const int size = rows.parts();
  for (int step = 1; step < size; ++step) {
    const int rank = (me + step) % size;
    const std::size_t mine = rows.count(me), width = columns.count(rank), ld = offers[rank].ld;
    const bool by_columns = offers[rank].by_columns != 0;
    if (mine == 0 || width == 0) continue;
    targets.push_back({.rank = rank,
                       .rows = by_columns ? mine : width,
                       .columns = by_columns ? width : mine,
                       .ld = ld,
                       .offset = by_columns ? rows.first(me) * ld : rows.first(me),
                       .first = columns.first(rank),
                       .width = width,
                       .by_columns = by_columns});
  }
  return targets;
}

/// A copy engine takes some time for each row: below these bytes a kernel stores it.
inline constexpr std::size_t least_copied_row_bytes = 1024;

/// How many pieces of memory turn in the staging area: one is filled, one is sent, one is ready.
inline constexpr std::size_t slab_buffers = 3;

/// Into how many slabs a target of `bytes` is cut. More slabs start to send sooner, since the first
/// is packed before anything is sent; but each costs the time of a few launches. The best number
/// grows with the root (docs/lab/constants.md#transpose).
inline std::size_t slab_count(std::size_t bytes) {
  constexpr std::size_t unit = std::size_t{16} << 20, most = std::size_t{256} << 20;
  std::size_t slabs = 1;
  while (slabs < 16 && (slabs + 1) * (slabs + 1) * unit <= bytes)
    ++slabs;
  return std::max(slabs, ado::detail::ceil_div(bytes, most));
}

/// Rows of a slab; `slabs` of them, or the best number where that is 0. They begin where tiles do.
inline std::size_t slab_rows(std::size_t rows, std::size_t columns, std::size_t element_bytes,
                             std::size_t slabs) {
  if (slabs == 0) slabs = slab_count(rows * columns * element_bytes);
  return std::min(rows, ado::detail::round_up(ado::detail::ceil_div(rows, slabs), 128));
}

/// Elements from a row to the next where rows are staged: each begins on a boundary of 16 bytes.
inline std::size_t staged_ld(std::size_t columns, std::size_t element_bytes) {
  return ado::detail::round_up(columns * element_bytes, 16) / element_bytes;
}

/// Rows of a target that are sent together: `count` of them, from `first` on.
struct Piece {
  Target target;
  std::size_t first, count;
  bool copied; ///< through the staging area, by a copy engine; else a kernel stores it
};

/// What a rank sends, in order.
inline std::vector<Piece> pieces_of(const std::vector<Target>& targets, std::size_t element_bytes,
                                    std::size_t slabs) {
  std::vector<Piece> pieces;
  for (const Target& target : targets) {
    if (target.columns * element_bytes < least_copied_row_bytes) {
      pieces.push_back({target, 0, target.rows, false});
      continue;
    }
    const std::size_t height = slab_rows(target.rows, target.columns, element_bytes, slabs);
    for (std::size_t first = 0; first < target.rows; first += height)
      pieces.push_back({target, first, std::min(height, target.rows - first), true});
  }
  return pieces;
}

/// The staging area: how many pieces turn in it, and elements of each, enough for all.
struct Staging {
  std::size_t buffers = 0, elements = 0;

  static Staging of(const std::vector<Piece>& pieces, std::size_t element_bytes) {
    Staging staging;
    for (const Piece& piece : pieces)
      if (piece.copied) {
        staging.buffers = std::min(slab_buffers, staging.buffers + 1);
        staging.elements = std::max(staging.elements,
                                    piece.count * staged_ld(piece.target.columns, element_bytes));
      }
    staging.elements = ado::detail::round_up(staging.elements * element_bytes, 256) / element_bytes;
    return staging;
  }
};

/// Bytes of workspace where all blocks are packed before anything is sent. The bytes that this rank
/// sends have to fit in 64 bits.
inline std::size_t packed_workspace_bytes(int me, const Blocks& rows, const Blocks& columns,
                                          std::size_t element_bytes) {
  return columns.total() * rows.count(me) * element_bytes;
}

/// Bytes of workspace that slabs need on rank `me`, whichever layouts the others' b have. The bytes
/// that this rank sends have to fit in 64 bits.
inline std::size_t slab_workspace_bytes(int me, const Blocks& rows, const Blocks& columns,
                                        std::size_t element_bytes, std::size_t slabs) {
  std::size_t most = 0;
  for (const std::uint64_t by_columns : {0, 1}) {
    std::vector<Offer> offers(rows.parts());
    for (Offer& offer : offers)
      offer.by_columns = by_columns;
    const auto pieces = pieces_of(targets_of(me, rows, columns, offers), element_bytes, slabs);
    const Staging staging = Staging::of(pieces, element_bytes);
    most = std::max(most, staging.buffers * staging.elements * element_bytes);
  }
  return most;
}

} // namespace ado::distributed::detail
