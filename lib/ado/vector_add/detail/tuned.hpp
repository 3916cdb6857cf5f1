// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `tuned`, which ado::vector_add calls. Its card: kokkos/tuned.cpp.
#pragma once

#include <ado/portable/host_tasks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/vector_add/detail/host.hpp>
#include <ado/vector_add/detail/unit.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// A share for each thread of a host.
template <class T>
struct VectorAddHostShares {
  Vectors<T> v;
  std::size_t count;
  void operator()(std::int64_t share) const {
    host_add::add_share(v, static_cast<std::size_t>(share), count);
  }
};

/// Unit: Pack<T>, where the vectors are aligned alike, else T.
template <class T, class Unit>
struct VectorAddDevice {
  static constexpr int units_per_thread = 4;
  static constexpr std::size_t apart = device_team_threads; ///< units of a thread
  static constexpr std::size_t units_per_block = units_per_thread * apart;
  static constexpr std::size_t unit_size = elements_of<Unit>;

  Vectors<T> v;
  std::size_t before; ///< elements in front of the first unit
  std::size_t units = (v.n - before) / unit_size;

  std::size_t threads() const { return (ceil_div(units, units_per_block) + (units == 0)) * apart; }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::size_t thread = static_cast<std::size_t>(index);
    add_units(thread / apart * units_per_block + thread % apart);
    if (thread < apart) add_rest(thread);
  }

  KOKKOS_FUNCTION void add_units(std::size_t first) const {
    const auto* a = reinterpret_cast<const Unit*>(v.a + before);
    const auto* b = reinterpret_cast<const Unit*>(v.b + before);
    auto* c = reinterpret_cast<Unit*>(v.c + before);
    Unit of_a[units_per_thread], of_b[units_per_thread];
    ADO_UNROLL
    for (int u = 0; u < units_per_thread; ++u)
      if (first + u * apart < units) {
        of_a[u] = a[first + u * apart];
        of_b[u] = b[first + u * apart];
      }
    ADO_UNROLL
    for (int u = 0; u < units_per_thread; ++u)
      if (first + u * apart < units) c[first + u * apart] = sum_of(of_a[u], of_b[u]);
  }

  /// The elements before the first unit and after the last: fewer than two units' worth.
  KOKKOS_FUNCTION void add_rest(std::size_t k) const {
    const std::size_t whole = units * unit_size;
    if (k < v.n - whole) {
      const std::size_t i = k < before ? k : whole + k;
      v.c[i] = v.a[i] + v.b[i];
    }
  }
};

/// Elements in front of the next boundary of 16 bytes.
template <class T>
std::size_t elements_to_boundary(const T* data) {
  return (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16 / sizeof(T);
}

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void vector_add_tuned(const Exec& exec, const Vectors<T>& v) {
  if (v.n == 0) return;
  const char* label = "ado::vector_add[tuned]";
  if constexpr (runs_on_host<Exec>) {
    const std::size_t shares = threads_of(exec);
    host_tasks(label, exec, shares, VectorAddHostShares<T>{v, shares});
  } else {
    const auto launch = [&](const auto& kernel) {
      Kokkos::parallel_for(label, threads(exec, kernel.threads()), kernel);
    };
    const std::size_t before = elements_to_boundary(v.c);
    if (before == elements_to_boundary(v.a) && before == elements_to_boundary(v.b) && before < v.n)
      launch(VectorAddDevice<T, Pack<T>>{v, before});
    else
      launch(VectorAddDevice<T, T>{v, 0});
  }
}

} // namespace ado::detail
