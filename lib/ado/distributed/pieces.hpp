// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the blocks that ranks send each other are cut into pieces.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/distributed/blocks.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::distributed::detail {

/// Bytes of a piece: it stays in a core's cache from one copy to the next
/// (docs/lab/constants.md#transpose).
inline constexpr std::size_t most_piece_bytes = std::size_t{256} << 10;

/// A block of rows x columns of a is cut into pieces of tall x wide; the last ones are smaller.
struct Cut {
  std::size_t rows, columns, tall, wide;

  /// 256 columns, so that a piece's rows are long in a and its columns in b.
  Cut(std::size_t rows_, std::size_t columns_, std::size_t element_bytes, std::size_t most_bytes)
      : rows(rows_), columns(columns_) {
    const std::size_t most = std::max<std::size_t>(1, most_bytes / element_bytes);
    tall = std::max<std::size_t>(1, std::min(rows, most / 256));
    wide = std::max<std::size_t>(1, std::min(columns, most / tall));
    tall = std::max<std::size_t>(1, std::min(rows, most / wide));
  }
  std::size_t across() const { return ado::detail::ceil_div(columns, wide); }
  std::size_t count() const { return ado::detail::ceil_div(rows, tall) * across(); }
};

/// Part of the block that goes to a rank, or comes from it.
struct MessagePiece {
  int rank = 0;
  std::size_t row = 0, rows = 0, column = 0, columns = 0; ///< inside the block

  std::size_t elements() const { return rows * columns; }
};

/// The pieces that rank `me` sends, or those it receives, one after the other. The order is that of
/// all-to-all: in step k every rank sends to the k-th rank behind it. So whoever is in the lowest
/// step finds its partners there or beyond, and no number of pieces under way is too small.
class Pieces {
public:
  enum class Way { sent, received };

  Pieces(Way way, int me, const Blocks& rows, const Blocks& columns, std::size_t element_bytes,
         std::size_t most_bytes)
      : rows_(rows),
        columns_(columns),
        element_bytes_(element_bytes),
        most_bytes_(most_bytes),
        me_(me),
        way_(way) {
    for (int step = 1; step < rows.parts(); ++step) {
      const Cut cut = cut_of(step);
      count_ += cut.count();
      if (cut.count() != 0) largest_ = std::max(largest_, cut.tall * cut.wide);
    }
  }

  /// How many there are.
  std::size_t count() const { return count_; }
  /// Elements of the largest one.
  std::size_t largest() const { return largest_; }
  /// Sets `piece` to the next one; false where there is none.
  bool next(MessagePiece& piece) {
    for (; step_ < rows_.parts(); ++step_, index_ = 0) {
      const Cut cut = cut_of(step_);
      if (index_ == cut.count()) continue;
      piece.rank = rank_of(step_);
      piece.row = index_ / cut.across() * cut.tall;
      piece.column = index_ % cut.across() * cut.wide;
      piece.rows = std::min(cut.tall, cut.rows - piece.row);
      piece.columns = std::min(cut.wide, cut.columns - piece.column);
      ++index_;
      return true;
    }
    return false;
  }

private:
  int rank_of(int step) const {
    const int size = rows_.parts();
    return (way_ == Way::sent ? me_ + step : me_ + size - step) % size;
  }
  Cut cut_of(int step) const {
    const int source = way_ == Way::sent ? me_ : rank_of(step);
    const int target = way_ == Way::sent ? rank_of(step) : me_;
    return {rows_.count(source), columns_.count(target), element_bytes_, most_bytes_};
  }

  const Blocks &rows_, &columns_;
  std::size_t element_bytes_, most_bytes_, count_ = 0, largest_ = 0, index_ = 0;
  int me_, step_ = 1;
  Way way_;
};

} // namespace ado::distributed::detail
