// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose on many ranks through messages of MPI, and where the host cannot access the memory,
// through page-locked copies. The local transpose is the packing: a block's columns are one piece
// of memory afterwards.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ado::distributed::detail {

/// Bytes of workspace on rank `rank`: what is sent, and behind it what is received.
/// \throws InvalidArgument  where they do not fit in 64 bits
inline std::size_t staged_workspace_bytes(const Blocks& rows, const Blocks& columns, int rank,
                                          std::size_t element_bytes) {
  const char* what = "ado::distributed::transpose: workspace";
  const std::size_t sent =
      ado::detail::checked_product({columns.total(), rows.count(rank), element_bytes}, what);
  const std::size_t received =
      ado::detail::checked_product({columns.count(rank), rows.total(), element_bytes}, what);
  return ado::detail::round_up(sent, 256) + received;
}

/// The transpose itself, where all ranks have agreed. Returns when b is complete.
template <class Exec, class A, class B, class T>
void run_staged(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
                const Blocks& columns, T* packed, HostMemory<Exec, T>& host) {
  const int me = comm.rank();
  const std::size_t mine = rows.count(me), width = columns.count(me);
  // Packed and received lie in the workspace one behind the other, and so they do on the host.
  const std::size_t behind =
      ado::detail::round_up(columns.total() * mine * sizeof(T), 256) / sizeof(T);
  T* const received = packed + behind;
  ado::transpose(exec, a, OnDevice<Exec, T**>(packed, columns.total(), mine));
  // A block that comes is of shape (width, rows of its rank) by rows; read by columns it is part of
  // a, and turns into b's layout, whichever that is.
  const auto unpack = [&](int rank, T* block) {
    const std::pair place(rows.first(rank), rows.first(rank) + rows.count(rank));
    ado::transpose(exec, OnDevice<Exec, T**, Kokkos::LayoutLeft>(block, rows.count(rank), width),
                   Kokkos::subview(b, Kokkos::ALL, place));
  };
  host.fetch(exec, packed, 0, columns.total() * mine);
  std::vector<Part> to(comm.size()), from(comm.size());
  for (int rank = 0; rank < comm.size(); ++rank) {
    to[rank] = host.part(packed, columns.first(rank) * mine, columns.count(rank) * mine);
    from[rank] = host.part(packed, behind + width * rows.first(rank), width * rows.count(rank));
  }
  exchange(
      comm, to, from, [&] { unpack(me, packed + columns.first(me) * mine); },
      [&](int rank) {
        host.put(exec, packed, behind + width * rows.first(rank), width * rows.count(rank));
        unpack(rank, received + width * rows.first(rank));
      });
  exec.fence("ado::distributed::transpose: b is complete");
}

} // namespace ado::distributed::detail
