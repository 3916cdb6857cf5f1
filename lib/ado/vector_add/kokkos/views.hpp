// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a vector_add call as Views: what most portable rungs work on.
#pragma once

#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct VectorAddViews {
  explicit VectorAddViews(const Call& call)
      : a(view_of<Exec, const T*>(call, 0)),
        b(view_of<Exec, const T*>(call, 1)),
        c(view_of<Exec, T*>(call, 2)) {}

  RowMajor<Exec, const T*> a, b;
  RowMajor<Exec, T*> c;
};

} // namespace ado::bench
