// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call makes Kokkos do, seen through the callbacks of Kokkos Tools.
#pragma once

#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace kokkos_events {

inline std::mutex guard;
inline std::vector<std::string> seen;

inline void add(const std::string& event) {
  const std::lock_guard lock(guard);
  seen.push_back(event);
}

/// Kernels and regions that `action` begins, in order. Kokkos fences around each while it is
/// observed.
template <class Action>
std::vector<std::string> names_of(Action action) {
  namespace Tools = Kokkos::Tools::Experimental;
  seen.clear();
  const auto kernel = [](const char* name, std::uint32_t, std::uint64_t*) {
    add(std::string("kernel ") + name);
  };
  Tools::set_begin_parallel_for_callback(kernel);
  Tools::set_begin_parallel_reduce_callback(kernel);
  Tools::set_push_region_callback([](const char* name) { add(std::string("region ") + name); });
  action();
  Tools::set_begin_parallel_for_callback(nullptr);
  Tools::set_begin_parallel_reduce_callback(nullptr);
  Tools::set_push_region_callback(nullptr);
  return seen;
}

/// What ado::average launches if it cuts no row: on a GPU the kernel of `team`.
template <class Exec>
inline const std::string average_kernel =
    ado::detail::runs_on_host<Exec> ? "kernel ado::average[tuned]" : "kernel ado::average[team]";

/// Allocations and fences of `action`, in order, except allocations of no bytes: with CUDA Kokkos
/// reports one for each launch of teams without level-1 scratch.
template <class Action>
std::vector<std::string> costs_of(Action action) {
  namespace Tools = Kokkos::Tools::Experimental;
  seen.clear();
  Tools::set_allocate_data_callback(
      [](Kokkos::Tools::SpaceHandle, const char* label, const void*, std::uint64_t bytes) {
        if (bytes != 0) add(std::string("allocate ") + label);
      });
  Tools::set_begin_fence_callback(
      [](const char* name, std::uint32_t, std::uint64_t*) { add(std::string("fence ") + name); });
  action();
  Tools::set_allocate_data_callback(nullptr);
  Tools::set_begin_fence_callback(nullptr);
  return seen;
}

} // namespace kokkos_events
