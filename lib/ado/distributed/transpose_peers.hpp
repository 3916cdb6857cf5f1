// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways of a transpose on many GPUs of one machine: each rank writes into the others' b, which CUDA
// makes accessible. All ranks have agreed, and their b may be written. Returns when b is complete,
// which takes until all others have written.
//   remote_stores  the kernel stores its tiles into the other's memory: nothing is staged, but
//                  short stores are no good use of a link
//   packed         everything is packed, then a copy engine sends a block to each rank: long rows,
//                  but the link waits for the packing
//   slabs          the next slab is packed while the copy engine sends the one before it, the own
//                  block beside
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/distributed/peer_memory.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/peer_streams.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ado::distributed::detail {

/// The streams, and Kokkos' instances for those on which kernels run.
struct PeerQueues {
  PeerStreams streams;
  Kokkos::Cuda packing{streams.packing}, own{streams.own};

  static PeerQueues& of(const Comm& comm) {
    return comm.kept<PeerQueues>([] { return std::make_shared<PeerQueues>(); });
  }
};

/// What the ways share: a rank's arrays, and where it writes.
template <class A, class B>
class PeerTranspose {
public:
  using T = typename B::non_const_value_type;

  PeerTranspose(const Comm& comm, const A& a, const Blocks& rows, const B& b, const Blocks& columns,
                const PeerMemory& memory, const std::vector<Offer>& offers)
      : comm_(comm),
        a_(a),
        b_(b),
        rows_(rows),
        columns_(columns),
        memory_(memory),
        offers_(offers),
        targets_(targets_of(comm.rank(), rows, columns, offers)),
        queues_(PeerQueues::of(comm)) {}

  void remote_stores() const {
    for (const Target& target : targets_)
      turn(queues_.packing, whole(target), place(whole(target)), target.ld);
    turn_own();
    queues_.streams.finish(comm_);
  }

  void packed(T* memory) const {
    for (const Target& target : targets_)
      turn(queues_.packing, whole(target), memory + packed_before(target), target.columns);
    queues_.streams.packed_into(0);
    for (const Target& target : targets_)
      send(whole(target), memory + packed_before(target), target.columns);
    turn_own();
    queues_.streams.finish(comm_);
  }

  /// `slabs` of each target, or as many as are best where that is 0.
  void slabs(T* memory, std::size_t slabs) const {
    PeerStreams& streams = queues_.streams;
    const std::vector<Piece> pieces = pieces_of(targets_, sizeof(T), slabs);
    const Staging staging = Staging::of(pieces, sizeof(T));
    std::size_t copied = 0;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const Piece& piece = pieces[k];
      if (piece.copied) {
        const std::size_t buffer = copied++ % staging.buffers;
        const std::size_t ld = staged_ld(piece.target.columns, sizeof(T));
        T* const staged = memory + buffer * staging.elements;
        streams.wait_for_buffer(buffer);
        turn(queues_.packing, piece, staged, ld);
        streams.packed_into(buffer);
        send(piece, staged, ld);
        streams.sent_from(buffer);
      } else {
        turn(queues_.packing, piece, place(piece), piece.target.ld);
      }
      if (k == 0) turn_own(); // beside all others; the link waits for the first
    }
    if (pieces.empty()) turn_own();
    streams.finish(comm_);
  }

private:
  using Range = std::pair<std::size_t, std::size_t>;

  static Piece whole(const Target& target) { return {target, 0, target.rows, true}; }
  /// Elements that are packed before this target's.
  std::size_t packed_before(const Target& target) const {
    return columns_.first(target.rank) * rows_.count(comm_.rank());
  }
  /// Where a piece begins in the other's b.
  T* place(const Piece& piece) const {
    const Target& target = piece.target;
    T* const b = reinterpret_cast<T*>(memory_.data(target.rank, offers_[target.rank]));
    return b + target.offset + piece.first * target.ld;
  }
  /// Writes the rows of a piece to `to`, `ld` elements from one to the next.
  void turn(const Kokkos::Cuda& exec, const Piece& piece, T* to, std::size_t ld) const {
    const Target& target = piece.target;
    const Range all(0, target.columns), some(piece.first, piece.first + piece.count);
    if (target.by_columns) {
      const OnDevice<Kokkos::Cuda, T**, Kokkos::LayoutLeft> out(to, ld, piece.count);
      ado::transpose(exec,
                     Kokkos::subview(a_, some, Range(target.first, target.first + target.width)),
                     Kokkos::subview(out, all, Kokkos::ALL));
    } else {
      const OnDevice<Kokkos::Cuda, T**> out(to, piece.count, ld);
      const Range columns(target.first + some.first, target.first + some.second);
      ado::transpose(exec, Kokkos::subview(a_, Kokkos::ALL, columns),
                     Kokkos::subview(out, Kokkos::ALL, all));
    }
  }
  void turn_own() const {
    const int me = comm_.rank();
    const auto of = [&](const Blocks& blocks) {
      return Range(blocks.first(me), blocks.first(me) + blocks.count(me));
    };
    ado::transpose(queues_.own, Kokkos::subview(a_, Kokkos::ALL, of(columns_)),
                   Kokkos::subview(b_, Kokkos::ALL, of(rows_)));
  }
  void send(const Piece& piece, const T* staged, std::size_t ld) const {
    send_rows(reinterpret_cast<std::byte*>(place(piece)), piece.target.ld * sizeof(T),
              reinterpret_cast<const std::byte*>(staged), ld * sizeof(T),
              piece.target.columns * sizeof(T), piece.count, queues_.streams.sending);
  }

  const Comm& comm_;
  const A& a_;
  const B& b_;
  const Blocks& rows_;
  const Blocks& columns_;
  const PeerMemory& memory_;
  const std::vector<Offer>& offers_;
  const std::vector<Target> targets_;
  PeerQueues& queues_;
};

} // namespace ado::distributed::detail
