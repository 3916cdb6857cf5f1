// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread has of a sum that several share, with wide loads. team_sums.hpp adds up the
// shares.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/host_sums.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::detail {

/// Packs (or elements) that a lane asks for before it adds the first; these loads in flight hide
/// the memory's latency (docs/lab/constants.md#average).
inline constexpr int loads_in_flight = 8;

/// Calls f(slot, first, k) for units first + k from 0 to `count` - 1, which are fewer than 2 *
/// `power`. They come in runs of `power`, ..., four, two and one unit, each run with slots of its
/// own. That takes a few branches, on which all lanes agree; a condition per unit would cost many.
/// slot and k are constants.
template <int power, int first_slot = 0, class F>
KOKKOS_FUNCTION void by_powers(unsigned count, const F& f) {
  if (count & power) {
    const unsigned done = count & ~(2u * power - 1);
    ADO_UNROLL
    for (int k = 0; k < power; ++k)
      f(first_slot + k, done, k);
  }
  if constexpr (power > 1) by_powers<power / 2, first_slot + power>(count, f);
}

/// One lane's share of the sum over `units`, packs or single elements: those at `lane`, `lane` +
/// lanes, ... It asks for equally many bytes at once in either form. Index: the type of `count`;
/// with 32 bits the sum takes half the instructions.
template <int lanes, class T, class Index, class Unit, class Term>
KOKKOS_FUNCTION T lane_sum_of(unsigned lane, const Unit* units, Index count, const Term& term) {
  constexpr std::size_t size = elements_of<Unit>;
  constexpr int in_flight = loads_in_flight * (Pack<T>::size / elements_of<Unit>);
  constexpr Index stride = Index{in_flight} * lanes;
  Unit loaded[in_flight];
  T sum = 0;
  Index first = 0;
  ADO_UNROLL_BY(1) // a doubled body would take twice the registers
  for (; count - first >= stride; first += stride) {
    // Constant distances from one address: an access is one instruction then.
    const Unit* const at = units + first + lane;
    const std::size_t index = (std::size_t{first} + lane) * size;
    ADO_UNROLL
    for (int u = 0; u < in_flight; ++u)
      loaded[u] = at[u * lanes];
    ADO_UNROLL
    for (int u = 0; u < in_flight; ++u)
      sum += term(loaded[u], index + u * lanes * size);
  }
  // Fewer units than that are left, and they too are asked for all at once: `whole` for every lane,
  // and one more for the first lanes.
  const auto left = static_cast<unsigned>(count - first);
  const unsigned whole = left / lanes;
  const bool one_more = lane < left % lanes;
  const Unit* const tail = units + first + lane;
  const std::size_t index = (std::size_t{first} + lane) * size;
  by_powers<in_flight / 2>(
      whole, [&](int slot, unsigned u, int k) { loaded[slot] = (tail + u * lanes)[k * lanes]; });
  if (one_more) loaded[in_flight - 1] = tail[whole * lanes];
  by_powers<in_flight / 2>(whole, [&](int slot, unsigned u, int k) {
    sum += term(loaded[slot], index + u * (lanes * size) + k * (lanes * size));
  });
  if (one_more) sum += term(loaded[in_flight - 1], index + whole * (lanes * size));
  return sum;
}

/// One lane's share of the sum on a device: whole packs where the row is `wide`, and what is left.
template <int lanes, class T, class Index, class Term>
KOKKOS_FUNCTION T lane_sum(unsigned lane, const T* row, Index n, bool wide, const Term& term) {
  if (!wide) return lane_sum_of<lanes, T>(lane, row, n, term);
  const Index packs = n / Pack<T>::size, rest = packs * Pack<T>::size + lane;
  T sum = lane_sum_of<lanes, T>(lane, reinterpret_cast<const Pack<T>*>(row), packs, term);
  ADO_UNROLL
  for (int k = 0; k < Pack<T>::size - 1; k += lanes) // fewer lanes than elements: several for each
    if (rest + k < n) sum += term(row[rest + k], rest + k);
  return sum;
}

/// The terms of a plain sum.
template <class T>
struct Identity {
  KOKKOS_FUNCTION T operator()(T value, std::size_t) const { return value; }
  KOKKOS_FUNCTION T operator()(const Pack<T>& pack, std::size_t) const {
    T sum = pack.lane[0];
    for (int i = 1; i < Pack<T>::size; ++i)
      sum += pack.lane[i];
    return sum;
  }
  template <class Register>
  Register operator()(const Register& values, std::size_t) const {
    return values; // of a host
  }
};

/// One thread's part of the sum over j < n of term(row[j], j), where `lanes` threads of a device
/// share it. `term` also takes a whole Pack and the index of its first element. It is called that
/// way if `wide`, which says that `row`, and whatever else the term reads, is aligned to packs. n:
/// below 2^32 unless a whole team shares the row.
template <int lanes, class T, class Term>
KOKKOS_FUNCTION T lane_share(int lane, const T* row, std::size_t n, bool wide, const Term& term) {
  using Index = std::conditional_t<(lanes < device_team_threads), unsigned, std::size_t>;
  return detail::lane_sum<lanes>(unsigned(lane), row, static_cast<Index>(n), wide, term);
}

/// One thread's part of the sum of a few numbers that an earlier kernel left; `threads` threads
/// share them. lane_share has more code than few numbers are worth (docs/lab/constants.md#yax).
template <class Exec, int threads, class T>
KOKKOS_FUNCTION T thread_share(int thread, const T* numbers, std::size_t count) {
  T sum = 0;
  if constexpr (runs_on_host<Exec>) {
    KOKKOS_IF_ON_HOST((sum = detail::host_sum(numbers, count, Identity<T>{});))
  } else {
    ADO_UNROLL_BY(4)
    for (auto k = static_cast<unsigned>(thread); k < static_cast<unsigned>(count); k += threads)
      sum += numbers[k];
  }
  return sum;
}

/// Calls f with `lanes` and `wide` as compile-time constants (std::integral_constant); on a host
/// always with one lane and not wide.
template <class Exec, class F>
void with_row_constants(int lanes, bool wide, F&& f) {
  if constexpr (runs_on_host<Exec>) {
    f(std::integral_constant<int, 1>(), std::false_type());
  } else {
    const auto choose = [&](auto is_wide) {
      with_constant<1, 4, 16, device_vector_lanes, device_team_threads>(
          lanes, [&](auto constant) { f(constant, is_wide); });
    };
    wide ? choose(std::true_type()) : choose(std::false_type());
  }
}

} // namespace ado::detail
