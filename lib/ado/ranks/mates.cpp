// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/distributed/exchange.hpp>
#include <ado/ranks/mates.hpp>

#include <atomic>
#include <utility>

namespace ado::bench {

using distributed::detail::check_mpi;
using Count = std::atomic_ref<std::uint64_t>;

Mates::Mates(MPI_Comm host, int rank) {
  int size = 0, place = 0;
  MPI_Comm_size(host, &size);
  MPI_Comm_rank(host, &place);
  mine_ = static_cast<std::size_t>(place);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  check_mpi(MPI_Allgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, host), "MPI_Allgather");
  Shared* shared = nullptr;
  check_mpi(MPI_Win_allocate_shared(sizeof *shared, 1, MPI_INFO_NULL, host, &shared, &window_),
            "MPI_Win_allocate_shared");
  *shared = {};
  for (int other = 0; other < size; ++other) {
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, other, &bytes, &unit, &shared);
    mates_.push_back({.rank = ranks[static_cast<std::size_t>(other)], .shared = shared});
  }
  check_mpi(MPI_Barrier(host), "MPI_Barrier");
}

Mates::~Mates() { MPI_Win_free(&window_); }

void Mates::come() { ++Count(mates_[mine_].shared->talks); }

std::string Mates::missing(bool waits, bool& speaks) {
  constexpr std::chrono::seconds without_sign(3);
  ++Count(mates_[mine_].shared->signs);
  const std::uint64_t here = Count(mates_[mine_].shared->talks);
  const Clock::time_point now = Clock::now();
  std::string names;
  speaks = true;
  for (Mate& mate : mates_) {
    const std::uint64_t signs = Count(mate.shared->signs);
    if (std::exchange(mate.signs, signs) != signs) mate.since = now;
    const bool stopped = now - mate.since > without_sign;
    if (stopped || (waits && Count(mate.shared->talks) < here))
      names += (names.empty() ? "rank " : ", rank ") + std::to_string(mate.rank) +
               (stopped ? " (stopped)" : " (at work)");
    else if (&mate < &mates_[mine_])
      speaks = false;
  }
  return names;
}

} // namespace ado::bench
