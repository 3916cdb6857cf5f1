// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call as what vector_add works on.
#pragma once

#include <ado/registry/variant.hpp>
#include <ado/vector_add/detail/vectors.hpp>

namespace ado::bench {

template <class T>
Vectors<T> vectors_of(const Call& call) {
  return {call.shape[0], call.arrays[0].as<const T>(), call.arrays[1].as<const T>(),
          call.arrays[2].as<T>()};
}

} // namespace ado::bench
