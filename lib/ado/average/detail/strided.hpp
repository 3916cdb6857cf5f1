// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average of vectors whose elements are not contiguous, as in a LayoutLeft v.
//   mapping   device: one thread per vector, neighbouring threads on neighbouring vectors in
//             memory; host: 64 vectors per work item, SIMD across them
//   scratch   none
//   bytes     reads v once, writes mean once
//   needs     nothing; accesses are widest where the sets or the rows of v lie side by side. Few
//             long vectors do not fill a device
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ado::detail {

/// Elements that make one partial sum, so that each goes through few roundings.
inline constexpr std::size_t average_strided_chunk = 64;

/// An extent of v, and how far neighbours along it lie apart in v and in mean.
struct StridedExtent {
  std::size_t extent, stride, mean_stride = 0;
};

template <class Exec, class T>
struct AverageStrided {
  /// Vectors of a work item.
  static constexpr std::size_t width = runs_on_host<Exec> ? 64 : 1;
  static constexpr std::size_t chunk = average_strided_chunk;

  const T* v;
  T* mean;
  StridedExtent inner, outer, along; ///< inner: the one whose neighbours lie closer
  std::size_t run, runs, run_apart;  ///< equally spaced vectors in a run; runs; their distance

  KOKKOS_FUNCTION void operator()(std::size_t item) const {
    const std::size_t items_per_run = (run + width - 1) / width;
    const std::size_t which = runs == 1 ? 0 : item / items_per_run;
    const std::size_t first = (item - which * items_per_run) * width;
    const std::size_t vectors = Kokkos::min(std::size_t{width}, run - first);
    T sum[width] = {};
    add_all(sum, v + which * run_apart + first * inner.stride, vectors);
    for (std::size_t k = 0; k < vectors; ++k) {
      const std::size_t vector = which * run + first + k, o = vector / inner.extent;
      mean[(vector - o * inner.extent) * inner.mean_stride + o * outer.mean_stride] =
          sum[k] / static_cast<T>(along.extent);
    }
  }

private:
  KOKKOS_FUNCTION void add_all(T* sum, const T* from, std::size_t vectors) const {
    for (std::size_t begin = 0; begin < along.extent; begin += chunk) {
      const std::size_t end = Kokkos::min(begin + chunk, along.extent);
      T part[width] = {};
      ADO_UNROLL_BY(8)
      for (std::size_t m = begin; m < end; ++m)
        add_one(part, from + m * along.stride, vectors);
      for (std::size_t k = 0; k < vectors; ++k)
        sum[k] += part[k];
    }
  }
  /// Adds element m of each vector. Two loops, because only the first one becomes SIMD.
  KOKKOS_FUNCTION void add_one(T* part, const T* from, std::size_t vectors) const {
    if (inner.stride == 1)
      for (std::size_t k = 0; k < vectors; ++k)
        part[k] += from[k];
    else
      for (std::size_t k = 0; k < vectors; ++k)
        part[k] += from[k * inner.stride];
  }
};

/// Launches the kernel; asynchronous on `exec`. v has any strides.
template <class Exec, class T>
void average_strided(const Exec& exec, const T* v, T* mean, StridedExtent sets,
                     StridedExtent length, StridedExtent count) {
  if (sets.extent == 0 || length.extent == 0) return;
  const bool sets_closer = sets.extent > 1 && (length.extent == 1 || sets.stride <= length.stride);
  if (!sets_closer) std::swap(sets, length);
  using Kernel = AverageStrided<Exec, T>;
  Kernel kernel{v, mean, sets, length, count, sets.extent, length.extent, length.stride};
  if (kernel.run_apart == kernel.run * sets.stride) { // the runs form one
    kernel.run *= kernel.runs;
    kernel.runs = 1;
  }
  const std::size_t items = ceil_div(kernel.run, Kernel::width) * kernel.runs;
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  Kokkos::parallel_for("ado::average[strided]", Range(exec, 0, items), kernel);
}

} // namespace ado::detail
