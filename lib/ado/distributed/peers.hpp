// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether ranks of an execution space can write into each other's memory.
#pragma once

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <ado/distributed/comm.hpp>
#include <ado/distributed/peer_boxes.hpp>
#include <ado/distributed/peer_memory.hpp>

#include <memory>
#include <vector>
#endif

#include <cstdint>

namespace ado::distributed::detail {

template <class Exec>
inline constexpr bool has_peers = false;

#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool has_peers<Kokkos::Cuda> = true;

/// The memory of others that comm keeps open. Makes the device of exec the current one.
inline PeerMemory& peers_of(const Comm& comm, const Kokkos::Cuda& exec) {
  check_cuda(cudaSetDevice(exec.cuda_device()), "choosing the device");
  return comm.kept<PeerMemory>([&] { return std::make_shared<PeerMemory>(exec.cuda_device()); });
}

/// The boxes that comm keeps, whose first call is collective.
inline PeerBoxes& boxes_of(const Comm& comm, const Kokkos::Cuda& exec,
                           const std::vector<std::uint64_t>& devices) {
  check_cuda(cudaSetDevice(exec.cuda_device()), "choosing the device");
  return PeerBoxes::of(comm, devices);
}
#endif

/// What gather() has to know of each rank: its device, of a GPU.
template <class Exec>
std::uint64_t device_of([[maybe_unused]] const Exec& exec) {
  if constexpr (has_peers<Exec>) return static_cast<std::uint64_t>(exec.cuda_device());
  return 0;
}

} // namespace ado::distributed::detail
