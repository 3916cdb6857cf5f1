// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all.
#pragma once

#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/host_memory.hpp>

#include <cstddef>
#include <vector>

namespace ado::distributed::detail {

/// Completes device[at ...] on all ranks, of which rank r has written counts[r] elements behind those of the ranks
/// before it. Waits for exec; what it brings is asynchronous on exec. The sum of counts must fit an int.
template <class Exec, class T>
void gather(const Exec& exec, const Comm& comm, HostMemory<Exec, T>& host, T* device,
            std::size_t at, const std::vector<std::size_t>& counts) {
  std::size_t before = 0, total = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    before += rank < comm.rank() ? counts[rank] : 0;
    total += counts[rank];
  }
  host.fetch(exec, device, at + before, counts[comm.rank()]);
  gather_parts(comm, reinterpret_cast<T*>(host.part(device, at, total).data), counts);
  host.put(exec, device, at, total);
}

} // namespace ado::distributed::detail
