// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of a call as Eigen sees them.
#pragma once

#define EIGEN_STACK_ALLOCATION_LIMIT 16384 // a thread of OpenMP may have 64 KiB
#include <Eigen/Core>

#include <cstddef>

#define ADO_EIGEN_TEXT_OF(number) #number
#define ADO_EIGEN_TEXT(number) ADO_EIGEN_TEXT_OF(number)
/// "Eigen 3.4.0", for the summary of a variant.
#define ADO_EIGEN_NAME                                                                             \
  "Eigen " ADO_EIGEN_TEXT(EIGEN_WORLD_VERSION) "." ADO_EIGEN_TEXT(                                 \
      EIGEN_MAJOR_VERSION) "." ADO_EIGEN_TEXT(EIGEN_MINOR_VERSION)

namespace ado::bench {

template <class T>
using EigenRowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using EigenColumn = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// `rows` rows of `columns` elements, `stride` elements apart.
template <class T>
auto eigen_matrix(T* data, std::size_t rows, std::size_t columns, std::size_t stride) {
  return Eigen::Map<EigenRowMajor<T>, Eigen::Unaligned, Eigen::OuterStride<>>(
      data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
      Eigen::OuterStride<>(static_cast<Eigen::Index>(stride)));
}
template <class T>
auto eigen_matrix(const T* data, std::size_t rows, std::size_t columns, std::size_t stride) {
  return Eigen::Map<const EigenRowMajor<T>, Eigen::Unaligned, Eigen::OuterStride<>>(
      data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
      Eigen::OuterStride<>(static_cast<Eigen::Index>(stride)));
}

template <class T>
auto eigen_vector(T* data, std::size_t count) {
  return Eigen::Map<EigenColumn<T>>(data, static_cast<Eigen::Index>(count));
}
template <class T>
auto eigen_vector(const T* data, std::size_t count) {
  return Eigen::Map<const EigenColumn<T>>(data, static_cast<Eigen::Index>(count));
}

} // namespace ado::bench
