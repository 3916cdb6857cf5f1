// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average on a GPU for vectors of at most four packs of 16 bytes. A thread with a single vector would
// have only these few loads in flight, so each thread takes several vectors.
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail {

inline constexpr int max_short_packs = 4;

/// A thread's vectors lie one block's threads apart, so that neighbouring lanes read neighbouring vectors.
template <class T, int packs>
struct AverageShortRows {
  static constexpr std::size_t apart = device_team_threads; ///< vectors of a thread
  static constexpr int each = loads_in_flight / packs;      ///< how many
  static constexpr std::size_t rows_per_block = apart * each;

  VectorsRef<T> v; ///< one set
  T* mean;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::size_t thread = static_cast<std::size_t>(index);
    const std::size_t first = thread / apart * rows_per_block + thread % apart;
    Pack<T> loaded[each][packs];
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const std::size_t row = first + k * apart;
      if (row >= v.length) break;
      const auto* from = reinterpret_cast<const Pack<T>*>(v.vector(0, row));
      ADO_UNROLL
      for (int p = 0; p < packs; ++p)
        loaded[k][p] = from[p];
    }
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const std::size_t row = first + k * apart;
      if (row >= v.length) break;
      T sum = 0;
      ADO_UNROLL
      for (int p = 0; p < packs; ++p)
        sum += Identity<T>{}(loaded[k][p], 0);
      mean[row] = sum / static_cast<T>(v.count);
    }
  }
};

/// The number of packs in a vector if AverageShortRows suits it, else 0. It suits one set of whole packs
/// with enough of them, those of other ranks counted, that its blocks, which are fewer, still fill the device.
template <class T>
int short_packs(const VectorsRef<T>& v) {
  constexpr std::size_t enough = std::size_t{128} * device_team_threads * loads_in_flight;
  const std::size_t packs = v.count / Pack<T>::size;
  const bool fits = v.sets == 1 && v.wide() && v.count % Pack<T>::size == 0 &&
                    packs <= max_short_packs && v.all * packs >= enough;
  return fits ? static_cast<int>(packs) : 0;
}

/// Launches the kernel for vectors of 1 to 4 packs; asynchronous on `exec`.
template <class Exec, class T>
void average_short_rows(const Exec& exec, int packs, const VectorsRef<T>& v, T* mean) {
  with_constant<1, 2, 3, 4>(packs, [&](auto constant) {
    using Kernel = AverageShortRows<T, constant>;
    const std::size_t blocks = ceil_div(v.length, Kernel::rows_per_block);
    Kokkos::parallel_for("ado::average[tuned]", threads(exec, blocks * Kernel::apart),
                         Kernel{v, mean});
  });
}

} // namespace ado::detail
