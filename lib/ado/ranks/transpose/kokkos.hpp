// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the portable ways to transpose on ranks share: the step from a Call to ado::distributed.
#pragma once

#include <ado/distributed/transpose.hpp>
#include <ado/portable/variant.hpp>
#include <ado/ranks/mpi.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

using distributed::detail::Way;

/// Whether kernels can write to other ranks' memory and messages have to be staged.
template <class Exec>
inline constexpr bool on_gpu = distributed::detail::has_peers<Exec>;

/// Workspace for any way in any space: a record has one function for all.
inline std::size_t rank_transpose_bytes(const Shape& s, Type type) {
  const distributed::Comm& comm = comm_of_ranks();
  const distributed::Blocks rows(s[0], comm.size()), columns(s[1], comm.size());
  const std::size_t staged =
      distributed::detail::staged_workspace_bytes(rows, columns, comm.rank(), size_of(type));
  std::size_t most = staged;
  for_each_space([&]<class Exec>(std::string_view) {
    most = std::max(most, distributed::transpose_workspace_bytes<Exec>(rows, columns, comm.rank(),
                                                                       size_of(type)));
  });
  return most;
}

template <class Exec>
void transpose_on_ranks(Way way, const Exec& exec, const Call& call, Workspace<Exec>& workspace) {
  with_element(size_of(call.type), [&](auto element) {
    using E = decltype(element);
    const distributed::Comm& comm = comm_of_ranks();
    const distributed::Blocks rows(call.shape[0], comm.size()), columns(call.shape[1], comm.size());
    const auto a = view_of<Exec, const E**>(call, 0);
    const auto b = view_of<Exec, E**>(call, 1);
    distributed::detail::TransposeCall(exec, comm, a, rows, b, columns, workspace).run(way, 0);
  });
}

/// In the call's workspace.
template <class Exec>
void transpose_on_ranks(Way way, const Exec& exec, const Call& call) {
  Workspace<Exec> workspace(call.workspace, rank_transpose_bytes(call.shape, call.type));
  transpose_on_ranks(way, exec, call, workspace);
}

} // namespace ado::bench
