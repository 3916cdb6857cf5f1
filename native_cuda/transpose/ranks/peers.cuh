// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ways share: the ranks agree, then each has pointers to the others' b. Their files have
// the cards.
#pragma once

#include <ado/core/error.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/peer_memory.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/peer_streams.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/ranks.hpp>
#include <native_cuda/transpose/ranks/ranks.hpp>
#include <native_cuda/transpose/transpose.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ado::bench::native {

using distributed::Blocks;
using distributed::Comm;
using distributed::detail::Offer;
using distributed::detail::PeerMemory;
using distributed::detail::PeerStreams;
using distributed::detail::Piece;
using distributed::detail::Target;

/// A call of one of the ways, from the agreement on.
class RankTranspose {
public:
  /// Collective. `bytes()` says how large a staging area this rank needs.
  template <class Bytes>
  RankTranspose(const Comm& comm, const RankMatrices& m, const Blocks& rows, const Blocks& columns,
                cudaStream_t stream, const char* way, const Bytes& bytes)
      : comm_(comm), m_(m), rows_(rows), columns_(columns) {
    using namespace distributed::detail;
    const std::array terms{
        Term{"the bytes of an element", m.element_bytes},
        Term{"where blocks of rows begin (a fingerprint)", number_of(rows)},
        Term{"where blocks of columns begin (a fingerprint)", number_of(columns)},
        Term{"the way of the transpose (a fingerprint)", number_of(way)}};
    int device = 0;
    check(cudaGetDevice(&device), "asking for the device");
    memory_ = &comm.kept<PeerMemory>([&] { return std::make_shared<PeerMemory>(device); });
    const auto messages =
        agree_and_tell(comm, "transpose by hand in CUDA", terms, [&](Message& message) {
          const std::string wrong = problem();
          if (!wrong.empty()) return wrong;
          staging_ = &comm.kept<RankStaging>([] { return std::make_shared<RankStaging>(); });
          staging_->reserve(bytes());
          const bool empty = rows.total() == 0 || columns.count(comm.rank()) == 0;
          Offer offer = memory_->offer(comm, device, m.b, empty);
          offer.ld = m.ldb;
          message = offer.message();
          check(cudaStreamSynchronize(stream), "waiting until others may write b");
          return wrong;
        });
    offers_ = offers_of(messages);
    const std::string why_not = memory_->open(comm, offers_);
    if (!why_not.empty()) throw InvalidArgument("transpose on many ranks: " + why_not);
    targets_ = targets_of(comm.rank(), rows, columns, offers_);
    streams_ = &comm.kept<PeerStreams>([] { return std::make_shared<PeerStreams>(); });
  }

  const std::vector<Target>& targets() const { return targets_; }
  PeerStreams& streams() const { return *streams_; }
  std::byte* staging() const { return staging_->data(); }
  std::size_t element_bytes() const { return m_.element_bytes; }
  static Piece whole(const Target& target) { return {target, 0, target.rows, true}; }

  /// Where a piece begins in the other's b.
  std::byte* place(const Piece& piece) const {
    const std::size_t elements = piece.target.offset + piece.first * piece.target.ld;
    return memory_->data(piece.target.rank, offers_[piece.target.rank]) +
           elements * element_bytes();
  }
  /// Writes the rows of a piece to `to`, `ld` elements from one to the next.
  void turn(const Piece& piece, std::byte* to, std::size_t ld) const {
    transpose(element_bytes(), piece.target.columns, piece.count,
              of_a(piece.target.first + piece.first), m_.lda, to, ld, streams_->packing);
  }
  void turn_own() const {
    const int me = comm_.rank();
    if (rows_.count(me) == 0 || columns_.count(me) == 0) return;
    transpose(element_bytes(), rows_.count(me), columns_.count(me), of_a(columns_.first(me)),
              m_.lda, static_cast<std::byte*>(m_.b) + rows_.first(me) * element_bytes(), m_.ldb,
              streams_->own);
  }
  /// Has a copy engine bring a piece from the staging area, where its rows are `ld` elements apart.
  void send(const Piece& piece, const std::byte* staged, std::size_t ld) const {
    distributed::detail::send_rows(place(piece), piece.target.ld * element_bytes(), staged,
                                   ld * element_bytes(), piece.target.columns * element_bytes(),
                                   piece.count, streams_->sending);
  }
  void finish() const { streams_->finish(comm_); }

private:
  /// What does not fit on this rank; empty where all does.
  std::string problem() const {
    using namespace distributed::detail;
    std::string wrong = cut_problem(comm_, "rows", rows_);
    if (wrong.empty()) wrong = cut_problem(comm_, "columns", columns_);
    if (!wrong.empty()) return wrong;
    const int me = comm_.rank();
    if (rows_.count(me) > 1 && m_.lda < columns_.total()) return "rows of a overlap";
    if (columns_.count(me) > 1 && m_.ldb < rows_.total()) return "rows of b overlap";
    checked_product({rows_.count(me), columns_.total(), m_.element_bytes}, "transpose: a");
    checked_product({columns_.count(me), rows_.total(), m_.element_bytes}, "transpose: b");
    return "";
  }
  const std::byte* of_a(std::size_t column) const {
    return static_cast<const std::byte*>(m_.a) + column * element_bytes();
  }

  const Comm& comm_;
  const RankMatrices m_;
  const Blocks& rows_;
  const Blocks& columns_;
  PeerMemory* memory_ = nullptr;
  PeerStreams* streams_ = nullptr;
  RankStaging* staging_ = nullptr;
  std::vector<Offer> offers_;
  std::vector<Target> targets_;
};

} // namespace ado::bench::native
