// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sum of many terms by the vector lanes of one team thread, with wide loads.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado {

/// As many elements as one 16-byte load brings.
template <class T>
struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(T);
  T lane[size];
};

/// Packs that a lane loads before it adds the first: bytes in flight against latency. H200, average
/// 1024^3 f32: 1.83 ms scalar, 0.972 with one pack, 0.954 with eight (CUDA 13.0).
inline constexpr int packs_in_flight = 8;

/// Partial sums on a host: 256 bytes, eight AVX2 registers, so that additions overlap.
template <class T>
inline constexpr int host_partial_sums = 256 / sizeof(T);

template <class T>
KOKKOS_FUNCTION bool aligned_to_pack(const T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

namespace detail {

/// Sum of term(row[k], k) for k < n on one host thread: the inner loop has a constant trip count
/// and no dependence between its iterations, so compilers turn it into SIMD registers.
template <class T, class Term>
T host_sum(const T* row, std::size_t n, const Term& term) {
  constexpr int lanes = host_partial_sums<T>;
  T sum[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (int lane = 0; lane < lanes; ++lane)
      sum[lane] += term(row[k + lane], k + lane);
  for (int lane = 0; k + lane < n; ++lane)
    sum[lane] += term(row[k + lane], k + lane);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane)
      sum[lane] += sum[lane + half];
  return sum[0];
}

/// One lane's share of the sum on a device: packs `lane`, `lane` + lanes, ... , then what is left.
template <int lanes, class T, class Term>
KOKKOS_FUNCTION T lane_sum(int lane, const T* row, std::size_t n, bool wide, const Term& term) {
  const auto* pack_row = reinterpret_cast<const Pack<T>*>(row);
  const std::size_t packs = wide ? n / Pack<T>::size : 0;
  T sum = 0;
  std::size_t p = lane;
  for (; p + std::size_t(packs_in_flight - 1) * lanes < packs;
       p += std::size_t(packs_in_flight) * lanes) {
    Pack<T> loaded[packs_in_flight];
    ADO_UNROLL
    for (int u = 0; u < packs_in_flight; ++u)
      loaded[u] = pack_row[p + std::size_t(u) * lanes];
    ADO_UNROLL
    for (int u = 0; u < packs_in_flight; ++u)
      sum += term(loaded[u], (p + std::size_t(u) * lanes) * Pack<T>::size);
  }
  for (; p < packs; p += lanes)
    sum += term(pack_row[p], p * Pack<T>::size);
  for (std::size_t k = packs * Pack<T>::size + lane; k < n; k += lanes)
    sum += term(row[k], k);
  return sum;
}

} // namespace detail

/// Sum over k < n of term(row[k], k) by the vector lanes of one team thread; every lane gets it.
/// `term` also takes a whole Pack and the index of its first element, and is called so on a device
/// where `wide` says that `row` (and whatever the term reads beside it) is aligned to packs.
template <class T, class Team, class Term>
KOKKOS_FUNCTION T vector_sum(const Team& team, const T* row, std::size_t n, bool wide,
                             const Term& term) {
  T total = 0;
  KOKKOS_IF_ON_HOST(
      (static_cast<void>(team); static_cast<void>(wide); total = detail::host_sum(row, n, term);))
  KOKKOS_IF_ON_DEVICE(
      (constexpr int lanes = vector_lanes<typename Team::execution_space>; Kokkos::parallel_reduce(
           Kokkos::ThreadVectorRange(team, lanes),
           [&](int lane, T& sum) { sum += detail::lane_sum<lanes>(lane, row, n, wide, term); },
           total);))
  return total;
}

/// Additions on the longest path of vector_sum over n terms.
template <class T, class Exec>
double vector_sum_steps(std::size_t n) {
  if constexpr (runs_on_host<Exec>) {
    return double(ceil_div(n, host_partial_sums<T>)) + tree_depth(host_partial_sums<T>);
  } else {
    // A lane's terms: its share of the whole packs, and at most one pack's size of leftovers when
    // wide; its share of single elements when not. Inside a pack, terms are added first.
    const double scalar = double(ceil_div(n, vector_lanes<Exec>));
    const double wide =
        double(ceil_div(n, std::size_t(vector_lanes<Exec>) * Pack<T>::size)) + Pack<T>::size;
    return (scalar > wide ? scalar : wide) + tree_depth(vector_lanes<Exec>);
  }
}

} // namespace ado
