// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/host_memory.hpp>

#include <cstddef>

namespace ado::distributed::detail {

/// As gather_parts() for device[at ...]. Waits for exec; what it brings is asynchronous on exec.
template <class Exec, class T>
void gather(const Exec& exec, const Comm& comm, HostMemory<Exec, T>& host, T* device,
            std::size_t at, const Blocks& parts) {
  host.fetch(exec, device, at + parts.first(comm.rank()), parts.count(comm.rank()));
  gather_parts(comm, reinterpret_cast<T*>(host.part(device, at, parts.total()).data), parts);
  host.put(exec, device, at, parts.total());
}

} // namespace ado::distributed::detail
