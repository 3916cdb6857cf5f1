// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on a host that need no team.
#pragma once

#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// Calls kernel(i) for each i < count, by the threads of `exec`. Where launches wait, the calling thread does a single one
/// itself: waking others takes longer than what is not cut. Only a tool sees it as a kernel then. Two cores of an Intel
/// Xeon, us, by Kokkos' threads and by the caller: yax 64 x 64 f32 1.3, 0.31; average 10 x 10 x 50 f32 1.1, 0.32.
template <class Exec, class Kernel>
void host_tasks(const char* label, const Exec& exec, std::size_t count, const Kernel& kernel) {
  if (launches_wait<Exec> && count == 1 && !Kokkos::Tools::profileLibraryLoaded())
    return kernel(std::int64_t{0});
  Kokkos::parallel_for(label, threads(exec, count), kernel);
}

} // namespace ado::detail
