// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose on many ranks where kernels and MPI share the host's memory. Each thread packs a
// piece by turning it, and copies a piece that has come to its place in b. A piece stays in cache
// on this way, so memory sees a read and b written, and little else. A rank's own block goes from a
// to b at once.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/pieces.hpp>
#include <ado/portable/views.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace ado::distributed::detail {

/// Where pieces lie that are on their way: as many places for those sent as for those that come.
struct Places {
  std::size_t sent, received, elements; ///< how many, and the elements of each

  /// For 4 pieces at least, and 2 for each thread. Small pieces take no more memory, but more of
  /// them are under way.
  template <class Exec>
  static Places of(const Pieces& sent, const Pieces& received, std::size_t element_bytes,
                   std::size_t most_bytes) {
    const std::size_t line = 256 / element_bytes;
    const std::size_t elements =
        ado::detail::round_up(std::max(sent.largest(), received.largest()), line);
    const std::size_t threads = Exec().concurrency();
    const std::size_t large = std::max<std::size_t>(4, 2 * threads),
                      most = std::max(large, std::size_t{256});
    const std::size_t fit = large * most_bytes / std::max<std::size_t>(1, elements * element_bytes);
    const std::size_t places = std::clamp(fit, large, most);
    return {std::min(places, sent.count()), std::min(places, received.count()), elements};
  }
};

/// Bytes of workspace on rank `me`.
template <class Exec>
std::size_t pieces_workspace_bytes(const Blocks& rows, const Blocks& columns, int me,
                                   std::size_t element_bytes,
                                   std::size_t most_bytes = most_piece_bytes) {
  const Pieces sent(Pieces::Way::sent, me, rows, columns, element_bytes, most_bytes);
  const Pieces received(Pieces::Way::received, me, rows, columns, element_bytes, most_bytes);
  const Places places = Places::of<Exec>(sent, received, element_bytes, most_bytes);
  return (places.sent + places.received) * places.elements * element_bytes;
}

/// Moves pieces, each on one thread: b = a transposed, whatever their layouts.
template <class E>
struct MovePieces {
  struct Move {
    ado::detail::MatrixRef<const E> a;
    ado::detail::MatrixRef<E> b;
  };
  const Move* moves;

  void operator()(std::int64_t index) const {
    auto [a, b] = moves[index];
    const bool turn = a.by_columns == b.by_columns;
    if (a.by_columns) a = a.transposed();
    if (b.by_columns) b = b.transposed();
    if (turn)
      turn_piece({a.rows, a.columns, a.data, a.ld, b.data, b.ld});
    else
      for (std::size_t i = 0; i < a.rows; ++i)
        std::memcpy(b.data + i * b.ld, a.data + i * a.ld, a.columns * sizeof(E));
  }

private:
  static void turn_piece(const ado::detail::Matrices<E>& m) {
    namespace tile = ado::detail::host_tile;
    for (std::size_t strip = 0; strip < tile::strip_count(m); ++strip)
      tile::transpose_strip(m, strip);
  }
};

/// One transpose in pieces, of elements that are moved as E.
template <class Exec, class E>
class PiecesCall {
public:
  using Source = ado::detail::MatrixRef<const E>;
  using Target = ado::detail::MatrixRef<E>;

  PiecesCall(const Exec& exec, const Comm& comm, const Blocks& rows, const Blocks& columns,
             std::size_t most_bytes)
      : exec_(exec),
        comm_(comm),
        rows_(rows),
        columns_(columns),
        sent_(Pieces::Way::sent, comm.rank(), rows, columns, sizeof(E), most_bytes),
        received_(Pieces::Way::received, comm.rank(), rows, columns, sizeof(E), most_bytes),
        places_(Places::of<Exec>(sent_, received_, sizeof(E), most_bytes)),
        coming_(places_.received),
        requests_(places_.received + places_.sent, MPI_REQUEST_NULL) {}

  /// Sends and receives all pieces; calls meanwhile() when the first are under way.
  template <class Meanwhile>
  void run(const Source& a, const Target& b, E* memory, const Meanwhile& meanwhile) {
    std::vector<int> free(requests_.size()); // places, at first all of them
    for (std::size_t place = 0; place < free.size(); ++place)
      free[place] = static_cast<int>(place);
    receive(free, memory);
    send(free, a, memory);
    meanwhile();
    while (under_way_ > 0) {
      wait(free);
      unpack(free, b, memory);
      receive(free, memory);
      send(free, a, memory);
    }
  }

private:
  /// Sets `done` to places whose messages have come or gone. A rank that waits leaves its core to
  /// others; MPICH's MPI_Waitsome does not, and is slower (docs/lab/constants.md#transpose).
  void wait(std::vector<int>& done) {
    done.resize(requests_.size());
    int count = 0;
    for (;;) {
      check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                             done.data(), MPI_STATUSES_IGNORE),
                "MPI_Testsome");
      if (count != 0) break;
      std::this_thread::yield();
    }
    done.resize(count);
    under_way_ -= done.size();
  }
  bool receives(int place) const { return static_cast<std::size_t>(place) < places_.received; }
  void move() {
    if (moves_.empty()) return;
    using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>,
                                      Kokkos::Schedule<Kokkos::Dynamic>>;
    Kokkos::parallel_for("ado::distributed::transpose[pieces]",
                         Range(exec_, 0, static_cast<std::int64_t>(moves_.size())),
                         MovePieces<E>{moves_.data()});
    exec_.fence("ado::distributed::transpose: pieces are moved");
    moves_.clear();
  }
  void receive(const std::vector<int>& free, E* memory) {
    for (const int place : free) {
      if (!receives(place) || !received_.next(coming_[place])) continue;
      const MessagePiece& piece = coming_[place];
      check_mpi(MPI_Irecv(memory + place * places_.elements, bytes_of(piece), MPI_BYTE, piece.rank,
                          tag, comm_.mpi(), &requests_[place]),
                "MPI_Irecv");
      ++under_way_;
    }
  }
  void send(const std::vector<int>& free, const Source& a, E* memory) {
    going_.clear();
    for (const int place : free) {
      MessagePiece piece;
      if (receives(place) || !sent_.next(piece)) continue;
      const std::size_t column = columns_.first(piece.rank) + piece.column;
      const E* const from = a.data + piece.row * a.row_stride() + column * a.column_stride();
      moves_.push_back(
          {{from, piece.rows, piece.columns, a.ld, a.by_columns},
           {memory + place * places_.elements, piece.columns, piece.rows, piece.rows, false}});
      going_.emplace_back(place, piece);
    }
    move();
    for (const auto& [place, piece] : going_)
      check_mpi(MPI_Isend(memory + place * places_.elements, bytes_of(piece), MPI_BYTE, piece.rank,
                          tag, comm_.mpi(), &requests_[place]),
                "MPI_Isend");
    under_way_ += going_.size();
  }
  /// What has come is a piece of the transpose, by rows; read by columns it is one of a.
  void unpack(const std::vector<int>& done, const Target& b, E* memory) {
    for (const int place : done) {
      if (!receives(place)) continue;
      const MessagePiece& piece = coming_[place];
      const std::size_t column = rows_.first(piece.rank) + piece.row;
      E* const to = b.data + piece.column * b.row_stride() + column * b.column_stride();
      moves_.push_back(
          {{memory + place * places_.elements, piece.rows, piece.columns, piece.rows, true},
           {to, piece.columns, piece.rows, b.ld, b.by_columns}});
    }
    move();
  }
  static int bytes_of(const MessagePiece& piece) {
    return static_cast<int>(piece.elements() * sizeof(E));
  }

  static constexpr int tag = 0;
  const Exec& exec_;
  const Comm& comm_;
  const Blocks &rows_, &columns_;
  Pieces sent_, received_;
  Places places_;
  std::vector<MessagePiece> coming_;  // of each place for one that comes
  std::vector<MPI_Request> requests_; // those that come, then those sent
  std::vector<std::pair<int, MessagePiece>> going_;
  std::vector<typename MovePieces<E>::Move> moves_;
  std::size_t under_way_ = 0;
};

/// The transpose itself, where all ranks have agreed. `memory` holds pieces_workspace_bytes().
/// Returns when b is complete.
template <class Exec, class A, class B, class T>
void run_pieces(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
                const Blocks& columns, T* memory, std::size_t most_bytes = most_piece_bytes) {
  const auto part_of = [&](const Blocks& blocks) {
    return std::pair(blocks.first(comm.rank()),
                     blocks.first(comm.rank()) + blocks.count(comm.rank()));
  };
  const auto meanwhile = [&] {
    ado::transpose(exec, Kokkos::subview(a, Kokkos::ALL, part_of(columns)),
                   Kokkos::subview(b, Kokkos::ALL, part_of(rows)));
    exec.fence("ado::distributed::transpose: its own block is complete");
  };
  const auto from = ado::detail::matrix_ref("transpose", "a", a);
  const auto to = ado::detail::matrix_ref("transpose", "b", b);
  const auto as = [&](auto element) {
    using E = decltype(element);
    PiecesCall<Exec, E>(exec, comm, rows, columns, most_bytes)
        .run({reinterpret_cast<const E*>(from.data), from.rows, from.columns, from.ld,
              from.by_columns},
             {reinterpret_cast<E*>(to.data), to.rows, to.columns, to.ld, to.by_columns},
             reinterpret_cast<E*>(memory), meanwhile);
  };
  using E = typename ado::detail::ElementOf<T>::type;
  constexpr std::size_t alignment = ado::detail::least_alignment<T>;
  if constexpr (alignment < alignof(E)) {
    const auto starts =
        reinterpret_cast<std::uintptr_t>(from.data) | reinterpret_cast<std::uintptr_t>(to.data);
    if (starts % alignof(E) != 0) return as(ado::detail::LooseElement<sizeof(T), alignment>{});
  }
  as(E{});
}

} // namespace ado::distributed::detail
