// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far the ranks of a host are, in memory that they share: one that waits sees for whom, even where that one is
// stopped and says nothing.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ado {

class Mates {
public:
  /// Of all ranks of a host, which call it together; `rank` is this one's among all.
  Mates(MPI_Comm host, int rank);
  Mates(const Mates&) = delete;
  Mates& operator=(const Mates&) = delete;
  /// All of them together.
  ~Mates();

  /// This one has come to its next talk with the others.
  void come();
  /// Gives a sign of life, and says who keeps the others waiting: "rank 1 (stopped), rank 3 (at work)". Those are
  /// who gives no sign and, where this one waits, who has not come so far. Empty: nobody of this host. One thread
  /// calls it, every second or more often. `speaks`: whether this is the first rank that is not one of them.
  std::string missing(bool waits, bool& speaks);

private:
  using Clock = std::chrono::steady_clock;
  struct Shared {
    std::uint64_t talks, signs;
  };
  struct Mate {
    int rank = 0;
    Shared* shared = nullptr;
    std::uint64_t signs = 0; ///< when it was looked at last
    Clock::time_point since = Clock::now();
  };
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<Mate> mates_;
  std::size_t mine_ = 0;
};

} // namespace ado
