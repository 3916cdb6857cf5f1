// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far the ranks of a host have got, kept in shared memory. A waiting rank sees whom it waits
// for, even if that rank is stopped and says nothing.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ado::bench {

class Mates {
public:
  /// Collective over all ranks of a host; `rank` is this one's number among all.
  Mates(MPI_Comm host, int rank);
  Mates(const Mates&) = delete;
  Mates& operator=(const Mates&) = delete;
  /// Collective.
  ~Mates();

  /// This rank has reached its next talk with the others.
  void come();
  /// Gives a sign of life, and says who keeps the others waiting: "rank 1 (stopped), rank 3 (at
  /// work)". These are the ranks that give no sign and, if this rank waits, those that have not
  /// come so far. Empty: nobody on this host. One thread calls it at least every second. `speaks`:
  /// this is the first rank that is not among them.
  std::string missing(bool waits, bool& speaks);

private:
  using Clock = std::chrono::steady_clock;
  struct Shared {
    std::uint64_t talks, signs;
  };
  struct Mate {
    int rank = 0;
    Shared* shared = nullptr;
    std::uint64_t signs = 0; ///< at the last look
    Clock::time_point since = Clock::now();
  };
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<Mate> mates_;
  std::size_t mine_ = 0;
};

} // namespace ado::bench
