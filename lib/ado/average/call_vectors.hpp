// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/registry/variant.hpp>

namespace ado::bench {

/// v of a call of average or average_mv.
template <class T>
VectorsRef<T> vectors_of(const Call& call) {
  const Array& v = call.arrays[0];
  return {v.as<const T>(), v.extent[0], v.extent[1],      v.extent[2],
          v.stride[0],     v.stride[1], rows_of_all(call)};
}

} // namespace ado::bench
