// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program: transposes a matrix on all ranks, and checks the result.
#include <ado/distributed/distributed.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    const ado::distributed::Comm comm(MPI_COMM_WORLD);
    const ado::distributed::Blocks rows(70, comm.size()), columns(31, comm.size());
    const std::size_t first_row = rows.first(comm.rank()),
                      first_column = columns.first(comm.rank());
    Kokkos::View<double**, Kokkos::HostSpace> a("a", rows.count(comm.rank()), 31),
        b("b", columns.count(comm.rank()), 70);
    for (std::size_t i = 0; i < a.extent(0); ++i)
      for (std::size_t j = 0; j < 31; ++j)
        a(i, j) = double(1000 * (first_row + i) + j);
    ado::distributed::transpose(Kokkos::DefaultHostExecutionSpace(), comm, a, rows, b, columns);
    for (std::size_t j = 0; j < b.extent(0); ++j)
      for (std::size_t i = 0; i < 70; ++i)
        wrong += b(j, i) == double(1000 * i + first_column + j) ? 0 : 1;
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
