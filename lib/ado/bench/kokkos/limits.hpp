// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the limits of a Kokkos device: its own kernels on a GPU, hand-written loops on a host.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_ceilings.hpp>
#include <ado/bench/kokkos/kernels.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/portable/team_sums.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

template <class Exec>
class KokkosLimits : public Device {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Doubles = Kokkos::View<double*, typename Exec::memory_space, Unmanaged>;
  using ConstDoubles = Kokkos::View<const double*, typename Exec::memory_space, Unmanaged>;
  static constexpr std::size_t fma_items = 1 << 20; ///< work items that fill any GPU

public:
  explicit KokkosLimits(const Exec& exec) : exec_(exec) {}

  void read_all(const double* data, std::size_t count, std::size_t period,
                double* result) override {
    if constexpr (runs_on_host<Exec>) {
      host_read(data, count, period, result, queue.threads);
    } else {
      const std::size_t rows = count / read_row,
                        mask = period < count ? period / read_row - 1 : ~std::size_t{0};
      using Read = ReadKernel<Exec>;
      Kokkos::parallel_for("ado::ceiling::read",
                           summing_teams<double>(exec_, ceil_div(rows, Read::rows_per_team)),
                           Read{data, read_row, rows, mask, result});
    }
  }
  void write_all(double* to, std::size_t count) override {
    if constexpr (runs_on_host<Exec>)
      host_write(to, count, queue.threads);
    else
      Kokkos::parallel_for("ado::ceiling::write", Range(exec_, 0, count / 2),
                           WriteKernel{reinterpret_cast<Pack<double>*>(to)});
  }
  void copy_all(const double* from, double* to, std::size_t count) override {
    if constexpr (runs_on_host<Exec>)
      host_copy(from, to, count, queue.threads);
    else
      Kokkos::deep_copy(exec_, Doubles(to, count), ConstDoubles(from, count));
  }
  double multiply_add(Type type, std::size_t length, void* result) override {
    double operations = 0;
    with_real_type(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (runs_on_host<Exec>) {
        operations = host_multiply_add(length, static_cast<T*>(result), queue.threads);
      } else {
        Kokkos::parallel_for("ado::ceiling::multiply_add", Range(exec_, 0, fma_items),
                             MultiplyAddKernel<T>{length, static_cast<T*>(result)});
        operations = 2.0 * MultiplyAddKernel<T>::chains * double(length) * double(fma_items);
      }
    });
    return operations;
  }
  std::size_t ceiling_result_bytes(std::size_t read_count) const override {
    return sizeof(double) * (runs_on_host<Exec> ? std::size_t(queue.threads)
                                                : std::max(fma_items, read_count / read_row));
  }
  void read_scattered(const double* data, std::size_t blocks, double* result) override {
    const std::size_t items = blocks / ScatteredReadKernel::at_once;
    Kokkos::parallel_for("ado::ceiling::scattered_read", Range(exec_, 0, items),
                         ScatteredReadKernel{data, items, result});
  }
  void update_scattered(double* to, std::size_t blocks) override {
    Kokkos::parallel_for("ado::ceiling::scattered_update", Range(exec_, 0, blocks),
                         ScatteredUpdateKernel{to});
  }
  void launch_nothing() override {
    Kokkos::parallel_for("ado::ceiling::launch", Range(exec_, 0, 1), NothingKernel{});
  }

protected:
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  Exec exec_;
};

} // namespace ado::bench
