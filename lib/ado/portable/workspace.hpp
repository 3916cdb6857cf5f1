// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary memory that a caller may keep between calls.
#pragma once

#include <ado/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace ado {

namespace detail {

/// Bytes in front of the numbers of Workspace::counted().
inline constexpr std::size_t counted_bytes = 16;

/// Says that a counter is zero; see Workspace.
struct ZeroCounter {};

} // namespace detail

/// Temporary memory of the library's functions, in the memory of the execution space Exec. A call
/// that is given a large enough Workspace neither allocates nor fences.
///
/// One Workspace serves one call at a time: calls on different instances or from different threads
/// need one each. Calls on one instance run in order and may share one. It must live until its
/// calls have ended, so fence before it goes. That is why functions take one only together with an
/// instance.
///
/// Example:
///
///     Kokkos::DefaultExecutionSpace exec;
///     ado::Workspace<Kokkos::DefaultExecutionSpace> workspace; // grows with the first call
///     ado::average_mv(exec, v, a, y, workspace);
///     ado::average(exec, v, mean, workspace);
///     exec.fence();
template <class Exec>
class Workspace {
  static_assert(Kokkos::is_execution_space_v<Exec>,
                "ado::Workspace: Exec must be an execution space");

public:
  /// Holds no memory yet.
  Workspace() = default;
  /// Allocates at once.
  /// \param bytes  how many; 0 allocates nothing
  /// \throws OutOfMemory  where they cannot be had
  explicit Workspace(std::size_t bytes) { reserve(bytes); }
  /// Uses memory of the caller, which is never enlarged.
  /// \param memory  aligned to 16 bytes; must outlive the Workspace and its calls
  /// \param bytes   how many it holds
  /// \throws InvalidArgument  where memory is not aligned to 16 bytes
  Workspace(void* memory, std::size_t bytes)
      : memory_(static_cast<std::byte*>(memory), bytes), owned_(false) {
    if (reinterpret_cast<std::uintptr_t>(memory) % 16 != 0)
      throw InvalidArgument("ado::Workspace: the memory given must be aligned to 16 bytes");
  }
  /// Such memory whose first 16 bytes are zero, or as the last call of ado::yax left them. It is
  /// for those who keep memory and make a Workspace of it for each call: else each first call of a
  /// Workspace sets them to zero on the device.
  Workspace(void* memory, std::size_t bytes, detail::ZeroCounter) : Workspace(memory, bytes) {
    zero_ = true;
  }
  /// Copies would share the memory, and two calls at once would then overwrite each other's data.
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// How many bytes it holds.
  std::size_t bytes() const { return memory_.extent(0); }

  /// Enlarges it to at least `bytes`; what was in it is lost. Does nothing if it holds as many;
  /// otherwise it allocates and fences, as Kokkos does.
  /// \throws OutOfMemory      where they cannot be had; the Workspace is empty then
  /// \throws InvalidArgument  where the memory is the caller's and too small
  void reserve(std::size_t bytes) {
    if (bytes <= memory_.extent(0)) return;
    constexpr std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX) / 2;
    if (owned_ && bytes > most) throw OutOfMemory("ado::workspace", bytes); // Kokkos would wrap
    if (!owned_)
      throw InvalidArgument("ado::Workspace: a call needs " + std::to_string(bytes) +
                            " bytes, the memory given holds " + std::to_string(memory_.extent(0)) +
                            "; give more, or a Workspace that owns its memory");
    zero_ = false;
    try {
      owner_ = Owner(); // give the old one back first: both may not fit
      owner_ = Owner(Kokkos::view_alloc(Kokkos::WithoutInitializing, "ado::workspace"), bytes);
    } catch (const std::runtime_error&) {
      memory_ = Memory();
      throw OutOfMemory("ado::workspace", bytes);
    }
    memory_ = Memory(owner_.data(), bytes);
  }

  /// Its memory as elements of T.
  template <class T>
  T* as() const {
    zero_ = false;
    return reinterpret_cast<T*>(memory_.data());
  }

  /// Its memory as a counter and elements of T behind it. The counter is zero for the next kernel
  /// on `exec`, which must leave it so. Only after another use of the memory it has to be set,
  /// asynchronously on `exec`.
  template <class T>
  struct Counted {
    unsigned* counter;
    T* elements;
  };
  template <class T>
  Counted<T> counted(const Exec& exec) const {
    using Counter = Kokkos::View<unsigned, typename Exec::memory_space,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto* const counter = reinterpret_cast<unsigned*>(memory_.data());
    if (!zero_) Kokkos::deep_copy(exec, Counter(counter), 0u);
    zero_ = true;
    return {counter, reinterpret_cast<T*>(memory_.data() + detail::counted_bytes)};
  }

private:
  using Owner = Kokkos::View<std::byte*, typename Exec::memory_space>;
  using Memory = Kokkos::View<std::byte*, typename Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Owner owner_;
  Memory memory_;
  bool owned_ = true;
  mutable bool zero_ = false; ///< the counter is
};

} // namespace ado
