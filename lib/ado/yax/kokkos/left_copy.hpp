// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The column-major copy of a in the workspace of row_per_thread_left and row_per_thread_batched.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/transpose.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::bench {

template <class Exec, class T>
auto yax_left_copy(const Call& call) {
  using View = Kokkos::View<T**, Kokkos::LayoutLeft, typename Exec::memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return View(static_cast<T*>(call.workspace), call.shape[0], call.shape[1]);
}

template <class Exec>
void yax_make_left_copy(const Exec& exec, const Call& call) {
  with_real_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    using Transposed = Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space,
                                    Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    // The same memory, row by row.
    transpose(exec, YaxViews<Exec, T>(call).a,
              Transposed(static_cast<T*>(call.workspace), call.shape[1], call.shape[0]));
  });
}

inline std::size_t yax_left_copy_bytes(const Shape& s, Type type, const char* what) {
  return checked_product({s[0], s[1], size_of(type)}, what);
}

} // namespace ado::bench
