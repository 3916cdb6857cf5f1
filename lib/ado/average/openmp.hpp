// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average in the CPU twin, by hand; average_mv's twin starts with it.
#pragma once

#include <ado/core/row_plan.hpp>
#include <ado/host/openmp_sum.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/registry/algorithm.hpp>
#include <ado/registry/array.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace ado::bench {

inline OpenmpPieces openmp_average_pieces(const Shape& s, Type type) {
  return {s[0] * s[1], s[2], size_of(type)};
}

/// The order of additions of openmp_sums() in a row of up to four numbers.
template <std::size_t count, class T>
T openmp_sum_of_few(const T* row) {
  const auto number = [&](std::size_t k) { return row[k] + T(0); };
  if constexpr (count == 1) return number(0);
  if constexpr (count == 2) return number(0) + number(1);
  if constexpr (count == 3) return number(0) + (number(1) + row[2]);
  if constexpr (count == 4) return (number(0) + number(2)) + (number(1) + number(3));
}

/// to[k] = mean of row k for k < rows, of rows `apart` from each other.
template <class T>
void openmp_average_rows(const T* first, std::size_t apart, std::size_t rows, std::size_t count,
                         T* to) {
  const auto of_few = [&](auto constant) { // SIMD along the rows, which follow each other
    constexpr std::size_t few = constant;
    for (std::size_t k = 0; k < rows; ++k)
      to[k] = openmp_sum_of_few<few>(first + k * few) / T(few);
  };
  if (apart == count && count >= 1 && count <= 4)
    return detail::with_constant<1, 2, 3, 4>(static_cast<int>(count), of_few);
  openmp_sum_rows<T>(
      rows, count, [&](std::size_t k) { return OpenmpValues<T>{first + k * apart}; },
      [&](std::size_t k, T sum) { to[k] = sum; });
  for (std::size_t k = 0; k < rows; ++k)
    to[k] /= static_cast<T>(count);
}

/// mean[n * mean_stride + l] = sum over m of v[n][l][m] / M. `partial`: one number per piece.
/// `all`: the rows of all ranks together. How a sum is cut follows that, so that bits do not depend
/// on the number of ranks.
template <class T>
void openmp_average(const Array& v, T* mean, std::size_t mean_stride, T* partial, int threads,
                    std::size_t all) {
  const std::size_t sets = v.extent[0], length = v.extent[1], count = v.extent[2];
  const std::size_t rows = sets * length;
  if (rows == 0) return;
  const auto values = [&](std::size_t set, std::size_t l) {
    return v.as<const T>() + set * v.stride[0] + l * v.stride[1];
  };
  const auto values_of = [&](std::size_t row) {
    return OpenmpValues<T>{values(row / length, row % length)};
  };
  const auto mean_of = [&](std::size_t row) -> T& {
    return mean[row / length * mean_stride + row % length];
  };
  OpenmpPieces pieces(all, count, sizeof(T));
  pieces.rows = rows;
  if (pieces.cut()) {
    openmp_sum_pieces(pieces, partial, threads, values_of);
    for (std::size_t row = 0; row < rows; ++row)
      mean_of(row) = openmp_row(pieces, partial, row) / static_cast<T>(count);
    return;
  }
  if (all < openmp_rows_at_once) {
    for (std::size_t row = 0; row < rows; ++row)
      mean_of(row) = openmp_sum<T>(count, values_of(row)) / static_cast<T>(count);
    return;
  }
  // Sets without gaps between them count as one, for blocks end with their set.
  const bool one_set = v.stride[0] == length * v.stride[1] && mean_stride == length;
  const std::size_t set_rows = one_set ? rows : length;
  const std::size_t together = host_block_rows(rows, count, sizeof(T)),
                    blocks = ceil_div(set_rows, together);
  const std::size_t all_blocks = rows / set_rows * blocks;
  const bool stream = rows * sizeof(T) >= streamed_bytes;
#pragma omp parallel num_threads(threads) if (all_blocks > 1)
  {
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < all_blocks; ++block) {
      const std::size_t set = block / blocks, first = block % blocks * together;
      const std::size_t block_rows = std::min(together, set_rows - first);
      T* const to = mean + set * mean_stride + first;
      // To be streamed past the cache as vectors.
      T* const means = stream ? memory_of_thread<std::array<T, most_block_rows>>().data() : to;
      openmp_average_rows(values(set, first), v.stride[1], block_rows, count, means);
      if (stream) stream_elements(to, means, block_rows);
    }
    if (stream) stream_fence();
  }
}

/// Its roundings: a sum and a division.
inline double openmp_average_steps(const Shape& s, Type type) {
  const OpenmpPieces pieces = openmp_average_pieces(s, type);
  if (pieces.cut()) return pieces.steps(type) + 1;
  return (pieces.rows < openmp_rows_at_once ? openmp_sum_steps(s[2], type)
                                            : openmp_row_steps(s[2], type)) +
         1;
}

} // namespace ado::bench
