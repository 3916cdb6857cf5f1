// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where MPI reads and writes: the arrays themselves if the host can access them, else page-locked copies.
#pragma once

#include <ado/distributed/exchange.hpp>
#include <ado/portable/workspace.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::distributed::detail {

template <class Exec>
inline constexpr bool host_accesses =
    Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                               typename Exec::memory_space>::accessible;

/// What others allocated, as a View in memory of Exec.
template <class Exec, class DataType, class Layout = Kokkos::LayoutRight>
using OnDevice = Kokkos::View<DataType, Layout, typename Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The host's side of memory of Exec that is sent and received. Given memory that the host cannot access, an MPI that
/// knows nothing of GPUs would end the program.
template <class Exec, class T>
class HostMemory {
public:
  /// For as many elements, in the workspace, whose calls run in order.
  /// \throws OutOfMemory  where page-locked memory is needed and cannot be had
  HostMemory(Workspace<Exec>& workspace, std::size_t count) {
    if (host_accesses<Exec>) return;
    workspace.reserve_on_host(count * sizeof(T));
    copy_ = workspace.template as_on_host<T>();
  }

  /// Brings `count` elements from `first` on to the host. Returns when they are there, and the work before them is
  /// done.
  void fetch(const Exec& exec, T* device, std::size_t first, std::size_t count) {
    if constexpr (!host_accesses<Exec>)
      Kokkos::deep_copy(exec, on_host(first, count), OnDevice<Exec, T*>(device + first, count));
    exec.fence("ado::distributed: before it is sent");
  }
  /// Brings `count` elements from `first` on to the device; asynchronous on exec.
  void put(const Exec& exec, T* device, std::size_t first, std::size_t count) {
    if constexpr (!host_accesses<Exec>)
      Kokkos::deep_copy(exec, OnDevice<Exec, T*>(device + first, count), on_host(first, count));
  }
  /// What MPI reads or writes of `count` elements from `first` on, which are device[first] and so on.
  Part part(T* device, std::size_t first, std::size_t count) const {
    T* const data = host_accesses<Exec> ? device : copy_;
    return {reinterpret_cast<std::byte*>(data + first), count * sizeof(T)};
  }

private:
  using OnHost =
      Kokkos::View<T*, ado::detail::PageLockedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  OnHost on_host(std::size_t first, std::size_t count) const {
    return OnHost(copy_ + first, count);
  }

  T* copy_ = nullptr;
};

} // namespace ado::distributed::detail
