// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of a chunk on one CPU thread.
#pragma once

#include <ado/host/simd.hpp>
#include <ado/pipeline/chunks.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench::host_pipeline {

/// Groups worked on at once: 256 bytes, eight AVX2 registers, whose steps hide each other's latency
/// (docs/lab/constants.md#pipeline).
template <class T>
inline constexpr std::size_t groups_at_once = 256 / sizeof(T) / pipeline_group;

/// The results of `groups` groups. Only `count` of their elements exist; the others count as zeros.
template <std::size_t groups, class T>
void results_of_groups(const T* prepared, std::size_t count, std::size_t work, T factor,
                       T* results) {
  constexpr std::size_t width = groups * pipeline_group;
  T p[width] = {}, r[width];
  for (std::size_t k = 0; k < width; ++k)
    if (k < count) p[k] = prepared[k];
  for (std::size_t k = 0; k < width; ++k)
    r[k] = p[k];
  for (std::size_t step = 0; step < work; ++step) {
    ADO_SIMD
    for (std::size_t k = 0; k < width; ++k)
      r[k] = r[k] * factor + p[k];
  }
  for (std::size_t g = 0; g < groups; ++g) {
    T* const sum = r + g * pipeline_group;
    for (std::size_t half = pipeline_group / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k)
        sum[k] += sum[k + half];
    results[g] = sum[0];
  }
}

/// results[j] for first <= j < last of a chunk of `elements` prepared elements.
template <class T>
void results(const T* prepared, std::size_t elements, std::size_t work, T factor, T* to,
             std::size_t first, std::size_t last) {
  constexpr std::size_t groups = groups_at_once<T>, block = groups * pipeline_group;
  std::size_t j = first;
  for (; j + groups <= last && j * pipeline_group + block <= elements; j += groups)
    results_of_groups<groups>(prepared + j * pipeline_group, block, work, factor, to + j);
  for (; j < last; ++j)
    results_of_groups<1>(prepared + j * pipeline_group,
                         std::min(pipeline_group, elements - j * pipeline_group), work, factor,
                         to + j);
}

} // namespace ado::bench::host_pipeline
