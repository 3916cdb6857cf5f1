// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a yax call as Views: what the portable rungs work on.
#pragma once

#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct YaxViews {
  explicit YaxViews(const Call& call)
      : y(view_of<Exec, const T*>(call, 0)),
        a(view_of<Exec, const T**>(call, 1)),
        x(view_of<Exec, const T*>(call, 2)) {}

  RowMajor<Exec, const T*> y;
  RowMajor<Exec, const T**> a;
  RowMajor<Exec, const T*> x;
};

} // namespace ado::bench
