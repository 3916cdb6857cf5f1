// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all.
#pragma once

#include <ado/distributed/comm.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/peers.hpp>

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

#ifdef KOKKOS_ENABLE_CUDA
/// The same where every rank has opened the others' memory, which device[0] begins: each writes into all. Returns when what
/// others write here is there.
template <class T>
void gather_by_peers(const Kokkos::Cuda& exec, const Comm& comm, const PeerMemory& memory,
                     const std::vector<Offer>& offers, const T* device, std::size_t at,
                     const std::vector<std::size_t>& counts) {
  for (int rank = 0; rank < comm.rank(); ++rank)
    at += counts[rank];
  const std::size_t mine = counts[comm.rank()];
  for (int step = 1; mine != 0 && step < comm.size(); ++step) {
    const int rank = (comm.rank() + step) % comm.size();
    check_cuda(cudaMemcpyAsync(memory.data(rank, offers[rank]) + at * sizeof(T), device + at,
                               mine * sizeof(T), cudaMemcpyDefault, exec.cuda_stream()),
               "sending sums");
  }
  exec.fence("ado::distributed: before others are told that it is sent");
  check_mpi(MPI_Barrier(comm.mpi()), "MPI_Barrier");
}
#endif

} // namespace ado::distributed::detail
