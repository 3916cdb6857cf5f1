// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of other ranks on GPUs of the same machine, by CUDA's interprocess handles (IPC).
//
// Opening an allocation of another process takes milliseconds, so what is opened stays open. Then
// it must be safe that a rank frees its b, and allocates another one:
//   - an allocation is known by its rank, its handle, its place and its number
//     (CU_POINTER_ATTRIBUTE_BUFFER_ID), which its process gives to no other. So memory that was
//     allocated anew at the same place is never taken for the old one.
//   - what lies where another allocation of that rank lies now is closed before that one is opened.
//   - each rank looks whether what it shared before is still there; if not, the others close all
//     else of it.
//   - what is still open of a freed allocation is never touched. CUDA leaves it undefined to free
//     memory that others have open; drivers keep the memory until it is closed, and UCX and MPIs
//     rely on that as well.
// The list of what is open is the same on all ranks, for it follows from what all of them told all.
// So all know without a word whether anything has to be opened; only then they ask each other
// whether it went well.
#pragma once

#include <ado/core/error.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/peer_plan.hpp>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace ado::distributed::detail {

/// Throws where `status`, which `what` returned, is an error of CUDA.
inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError(); // the throw reports it; the next caller must not find it again
  throw CommunicationError(std::string("ado::distributed: ") + what + ": " +
                           cudaGetErrorString(status));
}

/// A function of the driver, which is not linked; null where it has none of this name.
template <class Function>
Function* driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
  const cudaError_t status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  if (status == cudaSuccess && result == cudaDriverEntryPointSuccess)
    return reinterpret_cast<Function*>(found);
  (void)cudaGetLastError();
  return nullptr;
}

/// A number of this machine: IPC joins processes of one kernel. Two machines may have one name, and
/// copies of a virtual machine may have booted as one.
inline std::uint64_t number_of_host() {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  check_mpi(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return number_of(std::string(name, length) + ' ' + boot);
}

class PeerMemory {
public:
  /// For memory of this device, which is the current one.
  explicit PeerMemory(int device)
      : device_(device),
        host_(number_of_host()),
        address_range_(driver_function<AddressRange>("cuMemGetAddressRange")),
        attribute_(driver_function<Attribute>("cuPointerGetAttribute")) {}
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  ~PeerMemory() {
    for (const Known& known : known_)
      close(known);
  }

  /// What to tell the others of `data` in memory of `device`, which is the current one. Out of
  /// reach is what CUDA cannot share: memory of the host, managed memory, memory of a pool.
  Offer offer(const Comm& comm, int device, const void* data, bool empty) const {
    Offer mine;
    mine.host = host_;
    if (device != device_) return mine;
    for (const Known& known : known_)
      if (known.rank == comm.rank() && !is_there(known.offer)) mine.freed_others = 1;
    if (empty)
      mine.state = Offer::empty;
    else if (share(comm.rank(), data, mine))
      mine.state = Offer::shared;
    return mine;
  }

  /// Makes the memory of all others accessible; collective. Returns why it is not, on all ranks
  /// alike, or an empty text. Costs nothing if all of it was open before; else a small all-reduce,
  /// and milliseconds.
  std::string open(const Comm& comm, const std::vector<Offer>& offers) {
    if (!broken_.empty()) return broken_;
    for (int rank = 0; rank < comm.size(); ++rank) {
      if (offers[rank].state == Offer::out_of_reach)
        return "rank " + std::to_string(rank) + " has its b in memory that CUDA cannot share";
      if (offers[rank].host != offers[0].host)
        return "ranks 0 and " + std::to_string(rank) + " are on different machines";
    }
    for (int rank = 0; rank < comm.size(); ++rank)
      forget(rank, offers[rank]);
    bool new_ones = false, went_well = true;
    for (int rank = 0; rank < comm.size(); ++rank) {
      if (offers[rank].state != Offer::shared || find(rank, offers[rank]) != known_.end()) continue;
      new_ones = true;
      void* memory = nullptr;
      if (rank != comm.rank() && went_well) went_well = map(offers[rank], &memory);
      known_.push_back({rank, offers[rank], memory});
    }
    if (!new_ones) return "";
    int all = went_well ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm.mpi()), "MPI_Allreduce");
    if (all == 1) return "";
    // A container or a machine that forbids it once will do so again.
    for (const Known& known : known_)
      close(known);
    known_.clear();
    return broken_ = "CUDA's interprocess handles do not work between these ranks";
  }

  /// Where this process has the b of another rank, after open().
  std::byte* data(int rank, const Offer& offer) const {
    return static_cast<std::byte*>(find(rank, offer)->memory) + offer.offset;
  }

private:
  using AddressRange = CUresult(CUdeviceptr*, std::size_t*, CUdeviceptr);
  using Attribute = CUresult(void*, CUpointer_attribute, CUdeviceptr);
  /// An allocation that a rank shared, and where it is in this process; null if it is its own.
  struct Known {
    int rank;
    Offer offer;
    void* memory;
  };
  static constexpr std::ptrdiff_t most_of_a_rank = 8;

  static bool is_same(const Offer& one, const Offer& other) {
    return one.allocation == other.allocation && one.base == other.base &&
           one.bytes == other.bytes && one.handle == other.handle;
  }
  static bool overlap(const Offer& one, const Offer& other) {
    return one.base < other.base + other.bytes && other.base < one.base + one.bytes;
  }
  std::vector<Known>::const_iterator find(int rank, const Offer& offer) const {
    return std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
      return known.rank == rank && is_same(known.offer, offer);
    });
  }

  /// Closes what a rank no longer has, and what it has shared for longest if that is too much.
  void forget(int rank, const Offer& now) {
    const auto of_rank = [&](const Known& known) { return known.rank == rank; };
    auto left = std::count_if(known_.begin(), known_.end(), of_rank);
    for (auto known = known_.begin(); known != known_.end();) {
      const bool gone = now.freed_others != 0 ||
                        (now.state == Offer::shared && overlap(known->offer, now)) ||
                        left >= most_of_a_rank;
      if (!of_rank(*known) || is_same(known->offer, now) || !gone) {
        ++known;
        continue;
      }
      close(*known);
      known = known_.erase(known);
      --left;
    }
  }

  static void close(const Known& known) {
    if (known.memory != nullptr && cudaIpcCloseMemHandle(known.memory) != cudaSuccess)
      (void)cudaGetLastError(); // the process ends, or CUDA has closed it already
  }
  static bool map(const Offer& offer, void** memory) {
    cudaIpcMemHandle_t handle;
    static_assert(sizeof(handle) == sizeof(offer.handle));
    std::memcpy(&handle, offer.handle.data(), sizeof(handle));
    if (cudaIpcOpenMemHandle(memory, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess)
      return true;
    (void)cudaGetLastError();
    *memory = nullptr;
    return false;
  }

  /// The number of the allocation at `base`; false where there is none.
  bool number_of_allocation(std::uint64_t base, std::uint64_t& number) const {
    unsigned long long found = 0;
    if (attribute_(&found, CU_POINTER_ATTRIBUTE_BUFFER_ID, base) != CUDA_SUCCESS) return false;
    number = found;
    return true;
  }
  bool is_there(const Offer& offer) const {
    std::uint64_t number = 0;
    return number_of_allocation(offer.base, number) && number == offer.allocation;
  }
  bool share(int me, const void* data, Offer& mine) const {
    cudaPointerAttributes attributes{};
    if (address_range_ == nullptr || attribute_ == nullptr) return false;
    if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    if (attributes.type != cudaMemoryTypeDevice || attributes.device != device_) return false;
    const auto address = reinterpret_cast<CUdeviceptr>(data);
    CUdeviceptr base = 0;
    std::size_t bytes = 0;
    if (address_range_(&base, &bytes, address) != CUDA_SUCCESS) return false;
    mine.base = base;
    mine.bytes = bytes;
    mine.offset = address - base;
    if (!number_of_allocation(base, mine.allocation)) return false;
    for (const Known& known : known_)
      if (known.rank == me && known.offer.allocation == mine.allocation &&
          known.offer.base == mine.base) {
        mine.handle = known.offer.handle; // to ask again would be a call of the system
        return true;
      }
    cudaIpcMemHandle_t handle;
    if (cudaIpcGetMemHandle(&handle, reinterpret_cast<void*>(base)) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    std::memcpy(mine.handle.data(), &handle, sizeof(handle));
    return true;
  }

  int device_;
  std::uint64_t host_;
  AddressRange* address_range_;
  Attribute* attribute_;
  std::vector<Known> known_;
  std::string broken_;
};

} // namespace ado::distributed::detail
