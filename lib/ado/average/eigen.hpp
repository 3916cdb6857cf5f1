// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average by Eigen; Eigen's average_mv starts with it.
#pragma once

#include <ado/host/eigen.hpp>
#include <ado/registry/algorithm.hpp>
#include <ado/registry/array.hpp>

#include <cstddef>

namespace ado::bench {

/// mean[n * mean_stride + l] = sum over m of v[n][l][m] / M.
template <class T>
void eigen_average(const Array& v, T* mean, std::size_t mean_stride) {
  const auto [sets, length, vectors] = v.extent;
  for (std::size_t n = 0; n < sets; ++n) {
    const auto set = eigen_matrix(v.as<const T>() + n * v.stride[0], length, vectors, v.stride[1]);
    eigen_vector(mean + n * mean_stride, length) = set.rowwise().sum() / static_cast<T>(vectors);
  }
}

/// Eigen may sum in any order. Then come the division and the conversion of M to T.
inline double eigen_average_steps(const Shape& s) { return double(s[2]) + 1; }

} // namespace ado::bench
