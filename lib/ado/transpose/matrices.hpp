// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a transpose as matrices of elements that are only moved.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/registry/variant.hpp>
#include <ado/transpose/detail/plan.hpp>

namespace ado::bench {

/// Calls `f(Matrices<E>)` with a type E of the elements' size.
template <class F>
void with_matrices(const Call& call, F&& f) {
  with_element(size_of(call.type), [&](auto element) {
    using E = decltype(element);
    const Array &a = call.arrays[0], &b = call.arrays[1];
    f(Matrices<E>{a.extent[0], a.extent[1], a.as<const E>(), a.stride[0], b.as<E>(), b.stride[0]});
  });
}

} // namespace ado::bench
