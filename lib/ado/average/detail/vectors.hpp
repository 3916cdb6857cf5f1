// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// v of average and average_mv as kernels see it.
#pragma once

#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail {

/// `sets` x `length` vectors of `count` contiguous elements.
template <class T>
struct VectorsRef {
  const T* data;
  std::size_t sets, length, count;
  std::size_t set_stride, vector_stride;
  /// Vectors of all ranks together. How a sum is cut follows these, so that bits do not depend on
  /// the number of ranks.
  std::size_t all = sets * length;

  KOKKOS_FUNCTION const T* vector(std::size_t set, std::size_t l) const {
    return data + set * set_stride + l * vector_stride;
  }
  /// The set of vector `index`, counted over all sets. Divides only if there are several sets: a
  /// division would delay the first load of every vector.
  KOKKOS_FUNCTION std::size_t set_of(std::size_t index) const {
    return index < length ? 0 : index / length;
  }
  /// Vector `index`, counted over all sets.
  KOKKOS_FUNCTION const T* row(std::size_t index) const {
    const std::size_t set = set_of(index);
    return vector(set, index - set * length);
  }
  /// Whether every vector starts on a 16-byte boundary.
  bool wide() const {
    return aligned_to_pack(data) && set_stride % Pack<T>::size == 0 &&
           vector_stride % Pack<T>::size == 0;
  }
};

/// Sets without gaps between them are one long set, for blocks of rows end with theirs.
template <class T>
VectorsRef<T> joined_sets(VectorsRef<T> v, std::size_t mean_stride) {
  if (v.set_stride == v.length * v.vector_stride && mean_stride == v.length) {
    v.length *= v.sets;
    v.sets = 1;
  }
  return v;
}

} // namespace ado::detail
