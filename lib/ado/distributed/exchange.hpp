// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank sends each other one a block: MPI's all-to-all for blocks of any size, that says which
// have come. Or all the same.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ado::distributed::detail {

/// Bytes of one message: MPI counts in int.
inline constexpr std::size_t most_message_bytes = std::size_t{1} << 30;

/// Memory of one block, in bytes.
struct Part {
  std::byte* data;
  std::size_t bytes;
};

/// Sends to[r] to rank r and receives from[r] from it, for all others. Calls meanwhile() when all
/// is under way, and arrived(r) as soon as from[r] is there, in whichever order they come. Returns
/// when all has been sent and received. Each rank begins with the one behind it, so that not all
/// send to one at a time. A message has at most `most_bytes`.
template <class Meanwhile, class Arrived>
void exchange(const Comm& comm, const std::vector<Part>& to, const std::vector<Part>& from,
              const Meanwhile& meanwhile, const Arrived& arrived,
              std::size_t most_bytes = most_message_bytes) {
  const int size = comm.size(), tag = 0;
  std::vector<MPI_Request> receives, sends;
  std::vector<int> source;                // of each receive
  std::vector<std::size_t> missing(size); // messages of each source
  const auto pieces = [&](const Part& part, const auto& each) {
    for (std::size_t at = 0; at < part.bytes; at += most_bytes)
      each(part.data + at, static_cast<int>(std::min(most_bytes, part.bytes - at)));
  };
  for (int step = 1; step < size; ++step) {
    const int rank = (comm.rank() + size - step) % size;
    pieces(from[rank], [&](std::byte* data, int bytes) {
      receives.emplace_back();
      source.push_back(rank);
      ++missing[rank];
      check_mpi(MPI_Irecv(data, bytes, MPI_BYTE, rank, tag, comm.mpi(), &receives.back()),
                "MPI_Irecv");
    });
  }
  for (int step = 1; step < size; ++step) {
    const int rank = (comm.rank() + step) % size;
    pieces(to[rank], [&](std::byte* data, int bytes) {
      sends.emplace_back();
      check_mpi(MPI_Isend(data, bytes, MPI_BYTE, rank, tag, comm.mpi(), &sends.back()),
                "MPI_Isend");
    });
  }
  meanwhile();
  for (std::size_t left = receives.size(); left > 0; --left) {
    int which = 0;
    check_mpi(
        MPI_Waitany(static_cast<int>(receives.size()), receives.data(), &which, MPI_STATUS_IGNORE),
        "MPI_Waitany");
    if (--missing[source[which]] == 0) arrived(source[which]);
  }
  check_mpi(MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

/// Completes all[0 ... parts.total()) on every rank, of which rank r has written part r. MPI counts
/// in int, and so must their total.
template <class T>
void gather_parts(const Comm& comm, T* all, const Blocks& parts) {
  static_assert(sizeof(T) == sizeof(float) || sizeof(T) == sizeof(double));
  const MPI_Datatype type = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
  std::vector<int> sizes, places;
  for (int rank = 0; rank < parts.parts(); ++rank) {
    places.push_back(static_cast<int>(parts.first(rank)));
    sizes.push_back(static_cast<int>(parts.count(rank)));
  }
  check_mpi(
      MPI_Allgatherv(MPI_IN_PLACE, 0, type, all, sizes.data(), places.data(), type, comm.mpi()),
      "MPI_Allgatherv");
}

} // namespace ado::distributed::detail
