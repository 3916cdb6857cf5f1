// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution space instances that live as long as Kokkos does: on a GPU each has a stream, and
// making one takes longer than a chunk.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/registry/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <vector>

namespace ado::bench {

/// `count` instances side by side on the device of `exec`. They are made at the first call of the
/// process, which uses one device, and given back by Kokkos::finalize. Not for several threads at
/// once. On a host they are all `exec` itself: giving each a part of its threads would be slower.
template <std::size_t count, class Exec>
std::vector<Exec> instances_like(const Exec& exec) {
  if constexpr (runs_on_host<Exec>) {
    return std::vector<Exec>(count, exec);
  } else {
    static std::vector<Exec> instances;
    if (instances.empty()) {
      instances = Kokkos::Experimental::partition_space(exec, std::vector<int>(count, 1));
      Kokkos::push_finalize_hook([] { instances.clear(); });
    }
    return instances;
  }
}

} // namespace ado::bench
