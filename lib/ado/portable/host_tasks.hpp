// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on a host that need no team.
#pragma once

#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// Calls kernel(i) for each i < count, by the threads of `exec`. Where launches wait, the calling thread does a single one
/// itself: waking others takes longer than tasks that are not cut. A team would cost 0.5 us more for its threads' barriers
/// (two cores of an Intel Xeon).
template <class Exec, class Kernel>
void host_tasks(const char* label, const Exec& exec, std::size_t count, const Kernel& kernel) {
  if (launches_wait<Exec> && count == 1) return kernel(std::int64_t{0});
  Kokkos::parallel_for(label, threads(exec, count), kernel);
}

} // namespace ado::detail
