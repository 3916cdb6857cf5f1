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

/// Temporary memory of the library's functions, in the memory of an execution space. A call that is
/// given a large enough Workspace neither allocates nor fences. One Workspace serves one call at a
/// time: calls on different instances or from different threads need one each.
template <class Exec>
class Workspace {
public:
  Workspace() = default;
  /// Allocates `bytes` at once. Throws OutOfMemory.
  explicit Workspace(std::size_t bytes) { reserve(bytes); }
  /// Uses memory of the caller, which must outlive the Workspace; it is never enlarged. Throws
  /// InvalidArgument where it is not aligned to 16 bytes.
  Workspace(void* memory, std::size_t bytes)
      : memory_(static_cast<std::byte*>(memory), bytes), owned_(false) {
    if (reinterpret_cast<std::uintptr_t>(memory) % 16 != 0)
      throw InvalidArgument("ado::Workspace: the memory given must be aligned to 16 bytes");
  }
  /// Copies would share the memory, and two calls at once would then overwrite each other's data.
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  std::size_t bytes() const { return memory_.extent(0); }

  /// Enlarges to at least `bytes`; what was in it is lost. Allocating fences, as in Kokkos. Throws
  /// OutOfMemory, or InvalidArgument where the memory is the caller's and too small.
  void reserve(std::size_t bytes) {
    if (bytes <= memory_.extent(0)) return;
    constexpr std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX) / 2;
    if (owned_ && bytes > most) throw OutOfMemory("ado::workspace", bytes); // Kokkos would wrap
    if (!owned_)
      throw InvalidArgument("ado::Workspace: a call needs " + std::to_string(bytes) +
                            " bytes, the memory given holds " + std::to_string(memory_.extent(0)) +
                            "; give more, or a Workspace that owns its memory");
    try {
      owner_ = Owner(); // give the old one back first: both may not fit
      owner_ = Owner(Kokkos::view_alloc(Kokkos::WithoutInitializing, "ado::workspace"), bytes);
    } catch (const std::runtime_error&) {
      memory_ = Memory();
      throw OutOfMemory("ado::workspace", bytes);
    }
    memory_ = Memory(owner_.data(), bytes);
  }

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(memory_.data());
  }

private:
  using Owner = Kokkos::View<std::byte*, typename Exec::memory_space>;
  using Memory = Kokkos::View<std::byte*, typename Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Owner owner_;
  Memory memory_;
  bool owned_ = true;
};

} // namespace ado
