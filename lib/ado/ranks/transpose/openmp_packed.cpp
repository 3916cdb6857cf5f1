// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, openmp, packed: b[j][i] = a[i][j], by hand for CPUs with MPI
//   mapping   threads transpose the rank's rows strip by strip; one receive and one send per other
//             rank, the next rank first; threads copy a block to its columns of b when it has
//             arrived
//   scratch   workspace: a copy of the rank's rows of a, and one of its rows of b
//   bytes     as kokkos/packed
//   shares    the CPU kernel of `tuned`, detail/host.hpp, with kokkos/packed; the messages are
//             written twice
//   teaches   what a C++ programmer writes with MPI: the hand-written twin of kokkos/packed
#include <ado/core/checks.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/transpose/openmp/strips.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace ado::bench {
namespace {

using distributed::Blocks;
using distributed::detail::check_mpi;

/// Copies contiguous rows of `bytes` to rows that lie `pitch` bytes apart.
void copy_rows(const std::byte* from, std::size_t bytes, std::size_t rows, std::byte* to,
               std::size_t pitch, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t row = 0; row < rows; ++row)
    std::memcpy(to + row * pitch, from + row * bytes, bytes);
}

/// Starts the messages of a block, at most 1 GiB each, because MPI counts in int. Returns their
/// number.
template <class Begin>
std::size_t begin_messages(std::byte* data, std::size_t bytes, std::vector<MPI_Request>& requests,
                           const Begin& begin) {
  constexpr std::size_t most = std::size_t{1} << 30;
  std::size_t count = 0;
  for (std::size_t at = 0; at < bytes; at += most, ++count) {
    requests.emplace_back();
    check_mpi(begin(data + at, static_cast<int>(std::min(most, bytes - at)), &requests.back()),
              "a message");
  }
  return count;
}

struct Packed {
  static constexpr std::string_view algorithm = "transpose", name = "packed";
  static constexpr std::string_view summary = "by hand: OpenMP packs by transposing, MPI sends";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "detail/host.hpp";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call) {
    with_element(size_of(call.type), [&](auto element) { move<decltype(element)>(call); });
  }

  template <class E>
  static void move(const Call& call) {
    const distributed::Comm& comm = comm_of_ranks();
    const int me = comm.rank(), size = comm.size(), threads = call.queue.threads;
    const Blocks rows(call.shape[0], size), columns(call.shape[1], size);
    const Array &a = call.arrays[0], &b = call.arrays[1];
    const std::size_t height = rows.count(me), width = columns.count(me);
    auto* const packed = static_cast<E*>(call.workspace);
    auto* const received =
        reinterpret_cast<E*>(static_cast<std::byte*>(call.workspace) +
                             round_up(height * columns.total() * sizeof(E), 256));
    if (height != 0 && columns.total() != 0)
      transpose_strips(
          Matrices<E>{height, columns.total(), a.as<const E>(), a.stride[0], packed, height},
          threads);

    std::vector<MPI_Request> receives, sends;
    std::vector<int> source;                                          // of each receive
    std::vector<std::size_t> missing(static_cast<std::size_t>(size)); // messages per rank
    const auto from = [&](int rank) { return received + width * rows.first(rank); };
    for (int step = 1; step < size; ++step) {
      const int rank = (me + size - step) % size;
      const std::size_t count = begin_messages(
          reinterpret_cast<std::byte*>(from(rank)), width * rows.count(rank) * sizeof(E), receives,
          [&](std::byte* data, int bytes, MPI_Request* request) {
            return MPI_Irecv(data, bytes, MPI_BYTE, rank, 2, comm.mpi(), request);
          });
      missing[static_cast<std::size_t>(rank)] = count;
      source.insert(source.end(), count, rank);
    }
    for (int step = 1; step < size; ++step) {
      const int rank = (me + step) % size;
      begin_messages(reinterpret_cast<std::byte*>(packed + columns.first(rank) * height),
                     columns.count(rank) * height * sizeof(E), sends,
                     [&](std::byte* data, int bytes, MPI_Request* request) {
                       return MPI_Isend(data, bytes, MPI_BYTE, rank, 2, comm.mpi(), request);
                     });
    }
    const auto unpack = [&](int rank, const E* block) {
      copy_rows(reinterpret_cast<const std::byte*>(block), rows.count(rank) * sizeof(E), width,
                reinterpret_cast<std::byte*>(b.as<E>() + rows.first(rank)), b.stride[0] * sizeof(E),
                threads);
    };
    unpack(me, packed + columns.first(me) * height);
    for (std::size_t left = receives.size(); left > 0; --left) {
      int which = 0;
      check_mpi(MPI_Waitany(static_cast<int>(receives.size()), receives.data(), &which,
                            MPI_STATUS_IGNORE),
                "MPI_Waitany");
      const int rank = source[static_cast<std::size_t>(which)];
      if (--missing[static_cast<std::size_t>(rank)] == 0) unpack(rank, from(rank));
    }
    check_mpi(MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  }

  static std::size_t workspace_bytes(const Shape& s, Type type) {
    const distributed::Comm& comm = comm_of_ranks();
    const Blocks rows(s[0], comm.size()), columns(s[1], comm.size());
    return round_up(rows.count(comm.rank()) * s[1] * size_of(type), 256) +
           columns.count(comm.rank()) * s[0] * size_of(type);
  }
};
const HostVariant<Packed> registered{__FILE__};

} // namespace
} // namespace ado::bench
