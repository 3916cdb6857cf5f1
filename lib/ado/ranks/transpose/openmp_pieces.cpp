// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, openmp, pieces: b[j][i] = a[i][j], by hand for CPUs with MPI
//   mapping   threads transpose pieces of 256 KiB into buffers, some per thread at a time, and copy
//             received ones to their columns of b; meanwhile they transpose the rank's own block
//             directly into b
//   scratch   workspace: the buffers, which stay in cache
//   bytes     as kokkos/pieces
//   shares    the CPU kernel of `tuned`, detail/host.hpp, and the cut into pieces, with
//             kokkos/pieces; the messages are written twice
//   teaches   the hand-written twin of kokkos/pieces
#include <ado/core/checks.hpp>
#include <ado/distributed/pieces.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/transpose/openmp/strips.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace ado::bench {
namespace {

using distributed::Blocks;
using distributed::detail::check_mpi;
using distributed::detail::MessagePiece;

std::size_t most_threads() {
#ifdef _OPENMP
  return static_cast<std::size_t>(omp_get_max_threads());
#else
  return 1;
#endif
}

/// One side of the exchange: its pieces, and a buffer and a request for each piece under way.
struct Side {
  using Way = distributed::detail::Pieces::Way;
  distributed::detail::Pieces pieces;
  std::size_t places;
  std::vector<MessagePiece> piece{places};
  std::vector<MPI_Request> request = std::vector<MPI_Request>(places, MPI_REQUEST_NULL);

  Side(Way way, const Blocks& rows, const Blocks& columns, std::size_t element_bytes)
      : pieces(way, comm_of_ranks().rank(), rows, columns, element_bytes,
               distributed::detail::most_piece_bytes),
        places(std::min(std::max<std::size_t>(4, 2 * most_threads()), pieces.count())) {}

  std::size_t elements() const { return places * pieces.largest(); }
  /// Slots whose messages have completed; empty if none has.
  std::vector<int> done() {
    std::vector<int> which(places);
    int count = 0;
    check_mpi(MPI_Testsome(static_cast<int>(places), request.data(), &count, which.data(),
                           MPI_STATUSES_IGNORE),
              "MPI_Testsome");
    which.resize(count == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(count));
    return which;
  }
  bool under_way() const {
    return std::any_of(request.begin(), request.end(),
                       [](const MPI_Request& one) { return one != MPI_REQUEST_NULL; });
  }
  /// Gives each free slot the next piece; returns the slots that got one.
  std::vector<int> next(const std::vector<int>& free) {
    std::vector<int> taken;
    for (const int place : free)
      if (pieces.next(piece[static_cast<std::size_t>(place)])) taken.push_back(place);
    return taken;
  }
};

template <class E>
struct Exchange {
  const Call& call;
  const Blocks rows{call.shape[0], comm_of_ranks().size()},
      columns{call.shape[1], comm_of_ranks().size()};
  Side sent{Side::Way::sent, rows, columns, sizeof(E)};
  Side received{Side::Way::received, rows, columns, sizeof(E)};
  E* const outgoing = static_cast<E*>(call.workspace);
  E* const incoming = outgoing + sent.elements();

  void run() {
    receive(all_of(received));
    send(all_of(sent));
    turn_own_block();
    while (sent.under_way() || received.under_way()) {
      const std::vector<int> come = received.done(), gone = sent.done();
      unpack(come);
      receive(come);
      send(gone);
      if (come.empty() && gone.empty()) std::this_thread::yield(); // like kokkos/pieces
    }
  }

private:
  static std::vector<int> all_of(const Side& side) {
    std::vector<int> places(side.places);
    for (std::size_t k = 0; k < places.size(); ++k)
      places[k] = static_cast<int>(k);
    return places;
  }
  void receive(const std::vector<int>& free) {
    for (const int place : received.next(free))
      message(received, place, incoming, [](auto... arguments) { return MPI_Irecv(arguments...); });
  }
  void send(const std::vector<int>& free) {
    const std::vector<int> taken = sent.next(free);
    const Array& a = call.arrays[0];
#pragma omp parallel for schedule(dynamic) num_threads(call.queue.threads)
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const auto place = static_cast<std::size_t>(taken[k]);
      const MessagePiece& p = sent.piece[place];
      const Matrices<E> m{p.rows,
                          p.columns,
                          a.as<const E>() + p.row * a.stride[0] + columns.first(p.rank) + p.column,
                          a.stride[0],
                          outgoing + place * sent.pieces.largest(),
                          p.rows};
      for (std::size_t strip = 0; strip < host_tile::strip_count(m); ++strip)
        host_tile::transpose_strip(m, strip);
    }
    for (const int place : taken)
      message(sent, place, outgoing, [](auto... arguments) { return MPI_Isend(arguments...); });
  }
  template <class Begin>
  static void message(Side& side, int which, E* buffers, const Begin& begin) {
    const auto place = static_cast<std::size_t>(which);
    const MessagePiece& p = side.piece[place];
    check_mpi(begin(buffers + place * side.pieces.largest(),
                    static_cast<int>(p.elements() * sizeof(E)), MPI_BYTE, p.rank, 4,
                    comm_of_ranks().mpi(), &side.request[place]),
              "a message");
  }
  void unpack(const std::vector<int>& come) {
    const Array& b = call.arrays[1];
#pragma omp parallel for schedule(dynamic) num_threads(call.queue.threads)
    for (std::size_t k = 0; k < come.size(); ++k) {
      const auto place = static_cast<std::size_t>(come[k]);
      const MessagePiece& p = received.piece[place];
      for (std::size_t column = 0; column < p.columns; ++column)
        std::memcpy(b.as<E>() + (p.column + column) * b.stride[0] + rows.first(p.rank) + p.row,
                    incoming + place * received.pieces.largest() + column * p.rows,
                    p.rows * sizeof(E));
    }
  }
  void turn_own_block() const {
    const Array &a = call.arrays[0], &b = call.arrays[1];
    const int me = comm_of_ranks().rank();
    if (rows.count(me) == 0 || columns.count(me) == 0) return;
    transpose_strips(Matrices<E>{rows.count(me), columns.count(me),
                                 a.as<const E>() + columns.first(me), a.stride[0],
                                 b.as<E>() + rows.first(me), b.stride[0]},
                     call.queue.threads);
  }
};

struct PiecesByHand {
  static constexpr std::string_view algorithm = "transpose", name = "pieces";
  static constexpr std::string_view summary = "by hand: pieces stay in cache, OpenMP and MPI";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "detail/host.hpp";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call) {
    with_element(size_of(call.type),
                 [&](auto element) { Exchange<decltype(element)>{call}.run(); });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    const Blocks rows(s[0], comm_of_ranks().size()), columns(s[1], comm_of_ranks().size());
    const Side sent(Side::Way::sent, rows, columns, size_of(type)),
        received(Side::Way::received, rows, columns, size_of(type));
    return (sent.elements() + received.elements()) * size_of(type);
  }
};
const HostVariant<PiecesByHand> registered{__FILE__};

} // namespace
} // namespace ado::bench
