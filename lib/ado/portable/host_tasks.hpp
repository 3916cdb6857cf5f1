// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on a host that need no team.
#pragma once

#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// A kernel's name for Kokkos. Only a tool reads it: without one it is not worth a string on the
/// heap.
inline const char* shown_label(const char* label) {
  return Kokkos::Tools::profileLibraryLoaded() ? label : "";
}

/// Whether the calling thread does a single task itself, where launches wait: waking others takes
/// longer than a task that is not cut (docs/lab/constants.md#shared). Only a tool sees it as a
/// kernel then.
template <class Exec>
bool one_by_caller(std::size_t count) {
  return launches_wait<Exec> && count == 1 && !Kokkos::Tools::profileLibraryLoaded();
}

/// Calls kernel(i) for each i < count, by the threads of `exec`.
template <class Exec, class Kernel>
void host_tasks(const char* label, const Exec& exec, std::size_t count, const Kernel& kernel) {
  if (one_by_caller<Exec>(count)) return kernel(std::int64_t{0});
  Kokkos::parallel_for(shown_label(label), threads(exec, count), kernel);
}

/// The same, but threads take `chunk` tasks at a time, as they go: dealt out beforehand, 88 tiles
/// would be 5 or 6 for each of 16 threads.
template <class Exec, class Kernel>
void host_tasks_in_turn(const char* label, const Exec& exec, std::size_t count, std::size_t chunk,
                        const Kernel& kernel) {
  using Policy =
      Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  if (one_by_caller<Exec>(count)) return kernel(std::int64_t{0});
  Kokkos::parallel_for(
      shown_label(label),
      Policy(exec, 0, static_cast<std::int64_t>(count), Kokkos::ChunkSize(static_cast<int>(chunk))),
      kernel);
}

} // namespace ado::detail
