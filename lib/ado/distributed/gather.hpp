// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rank gets the parts of all.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/distributed/peers.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ado::distributed::detail {

/// As gather_parts() for device[at ...], in the order of exec: from GPU to GPU if they reach each
/// other, else the host waits for exec and sends messages. `devices`: device_of() all ranks. What
/// it brings is asynchronous on exec.
template <class Exec, class T>
void gather(const Exec& exec, const Comm& comm, const std::vector<std::uint64_t>& devices,
            HostMemory<Exec, T>& host, T* device, std::size_t at, const Blocks& parts) {
  if (comm.size() == 1) return;
  if constexpr (has_peers<Exec>)
    if (boxes_of(comm, exec, devices).gather(comm, devices, device + at, parts, exec.cuda_stream()))
      return;
  host.fetch(exec, device, at + parts.first(comm.rank()), parts.count(comm.rank()));
  gather_parts(comm, reinterpret_cast<T*>(host.part(device, at, parts.total()).data), parts);
  host.put(exec, device, at, parts.total());
}

} // namespace ado::distributed::detail
