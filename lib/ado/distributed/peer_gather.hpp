// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all, on GPUs that reach each other's memory.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/peer_memory.hpp>
#include <ado/distributed/peer_plan.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

namespace ado::distributed::detail {

/// As gather_parts() for all[at ...] in memory of the device, where every rank has opened the others', which all[0] begins:
/// each writes into all. Waits for stream; returns when what others write here is there.
template <class T>
void gather_by_peers(const Comm& comm, const PeerMemory& memory, const std::vector<Offer>& offers,
                     const T* all, std::size_t at, const Blocks& parts, cudaStream_t stream) {
  at += parts.first(comm.rank());
  const std::size_t mine = parts.count(comm.rank());
  for (int step = 1; mine != 0 && step < comm.size(); ++step) {
    const int rank = (comm.rank() + step) % comm.size();
    check_cuda(cudaMemcpyAsync(memory.data(rank, offers[rank]) + at * sizeof(T), all + at,
                               mine * sizeof(T), cudaMemcpyDefault, stream),
               "sending sums");
  }
  check_cuda(cudaStreamSynchronize(stream), "waiting until it is sent");
  check_mpi(MPI_Barrier(comm.mpi()), "MPI_Barrier");
}

} // namespace ado::distributed::detail
