// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where MPI reads and writes: the arrays themselves if the host can access them, else page-locked
// copies.
#pragma once

#include <ado/core/error.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace ado::distributed::detail {

template <class Exec>
inline constexpr bool host_accesses =
    Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace,
                               typename Exec::memory_space>::accessible;

/// Memory of the host that a device can copy to and from by itself, where Kokkos has such memory.
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using PageLockedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PageLockedSpace = Kokkos::HostSpace;
#endif

/// Page-locked memory that a Comm keeps: to take it costs more time than most of what goes through
/// it.
template <class Exec>
class PageLocked {
public:
  /// Of a Comm, for at least `bytes`; calls of a Comm run in order.
  /// \throws OutOfMemory  where they cannot be had; there is none of it then
  static std::byte* of(const Comm& comm, std::size_t bytes) {
    auto& memory = comm.kept<PageLocked>([] { return std::make_shared<PageLocked>(); }).memory_;
    if (bytes > memory.extent(0)) try {
        memory = Memory();
        memory = Memory(Kokkos::view_alloc(Kokkos::WithoutInitializing, "ado::staged"), bytes);
      } catch (const std::runtime_error&) {
        throw OutOfMemory("ado::distributed: page-locked memory of the host", bytes);
      }
    return memory.data();
  }

private:
  using Memory = Kokkos::View<std::byte*, PageLockedSpace>;
  Memory memory_;
};

/// What others allocated, as a View in memory of Exec.
template <class Exec, class DataType, class Layout = Kokkos::LayoutRight>
using OnDevice = Kokkos::View<DataType, Layout, typename Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The host's side of memory of Exec that is sent and received. Given memory that the host cannot
/// access, an MPI that knows nothing of GPUs would end the program.
template <class Exec, class T>
class HostMemory {
public:
  /// For as many elements.
  /// \throws OutOfMemory  where page-locked memory is needed and cannot be had
  HostMemory(const Comm& comm, std::size_t count) {
    if (!host_accesses<Exec>)
      copy_ = reinterpret_cast<T*>(PageLocked<Exec>::of(comm, count * sizeof(T)));
  }

  /// Brings `count` elements from `first` on to the host. Returns when they are there, and the work
  /// before them is done.
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
  /// What MPI reads or writes of `count` elements from `first` on, which are device[first] and so
  /// on.
  Part part(T* device, std::size_t first, std::size_t count) const {
    T* const data = host_accesses<Exec> ? device : copy_;
    return {reinterpret_cast<std::byte*>(data + first), count * sizeof(T)};
  }

private:
  using OnHost = Kokkos::View<T*, PageLockedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  OnHost on_host(std::size_t first, std::size_t count) const {
    return OnHost(copy_ + first, count);
  }

  T* copy_ = nullptr;
};

} // namespace ado::distributed::detail
