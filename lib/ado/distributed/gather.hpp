// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all.
#pragma once

#include <ado/distributed/comm.hpp>
#include <ado/distributed/host_memory.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace ado::distributed::detail {

/// Completes device[at ...] on all ranks, of which rank r has written counts[r] elements behind those of the ranks
/// before it. Waits for exec; what it brings is asynchronous on exec. MPI counts in int, and so must the sum of counts.
template <class Exec, class T>
void gather(const Exec& exec, const Comm& comm, HostMemory<Exec, T>& host, T* device,
            std::size_t at, const std::vector<std::size_t>& counts) {
  const MPI_Datatype type = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
  std::vector<int> sizes, places;
  std::size_t total = 0;
  for (const std::size_t count : counts) {
    places.push_back(static_cast<int>(total));
    sizes.push_back(static_cast<int>(count));
    total += count;
  }
  host.fetch(exec, device, at + places[comm.rank()], counts[comm.rank()]);
  check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, type, host.part(device, at, total).data, sizes.data(),
                           places.data(), type, comm.mpi()),
            "MPI_Allgatherv");
  host.put(exec, device, at, total);
}

} // namespace ado::distributed::detail
