// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test on several ranks is its own program, because a failed assertion on one rank would leave
// the others waiting: it records failures, and all ranks end with the same exit status.
#pragma once

#include <ado/core/error.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace ado::distributed::test {

/// Failures on this rank; the first ten are printed.
class Failures {
public:
  explicit Failures(const Comm& comm) : comm_(comm) {}
  void expect(bool right, const std::string& what) {
    if (right) return;
    if (++count_ <= 10) std::fprintf(stderr, "rank %d: %s\n", comm_.rank(), what.c_str());
  }
  /// Expects `call` to throw InvalidArgument on every rank, with each of `parts` in its message.
  template <class Call>
  void expect_refused(const Call& call, const std::vector<std::string>& parts) {
    std::string message = "nothing";
    try {
      call();
    } catch (const InvalidArgument& error) {
      message = error.what();
    }
    for (const std::string& part : parts)
      expect(message.find(part) != std::string::npos, "'" + part + "' is not in: " + message);
  }
  /// The common exit status of all ranks.
  int status() const {
    int all = 0;
    MPI_Allreduce(&count_, &all, 1, MPI_INT, MPI_SUM, comm_.mpi());
    if (comm_.rank() == 0) std::printf("%d ranks, %d failures\n", comm_.size(), all);
    return all == 0 ? 0 : 1;
  }

private:
  const Comm& comm_;
  int count_ = 0;
};

/// Random blocks: some are empty.
inline Blocks any_blocks(std::mt19937_64& random, std::size_t total, int parts) {
  std::vector<std::size_t> counts(parts);
  for (std::size_t left = total; left > 0;) {
    const std::size_t some = 1 + random() % left;
    counts[random() % parts] += some;
    left -= some;
  }
  return Blocks(counts);
}

/// A log-uniform extent from 0 to `most`.
inline std::size_t any_extent(std::mt19937_64& random, std::size_t most) {
  const std::size_t below = (std::size_t{2} << random() % 64) % (most + 2);
  return below == 0 ? most : random() % below;
}

/// The program: MPI starts before Kokkos and ends after it. The argument is the expected number of
/// ranks, because the mpirun of another MPI starts that many programs of one rank each.
template <class Test>
int main_of(int argc, char** argv, const Test& test) noexcept {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const Comm comm(MPI_COMM_WORLD);
    Failures failures(comm);
    failures.expect(argc == 2 && std::to_string(comm.size()) == argv[1],
                    "there are " + std::to_string(comm.size()) + " ranks");
    test(comm, failures);
    status = failures.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return status;
}

} // namespace ado::distributed::test
