// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL's communicator of the ranks, for libraries that send by it.
#pragma once

#include <ado/core/error.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/comm.hpp>

#include <native_cuda/core/launch.hpp>
#include <nccl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ado::bench::native {

inline void check_nccl(ncclResult_t status, const char* what) {
  if (status != ncclSuccess)
    throw Error(std::string("NCCL: ") + what + ": " + ncclGetErrorString(status));
}

/// Throws on all ranks alike where two have one GPU: NCCL says so on some only, and the others
/// would wait.
inline void check_devices(const distributed::Comm& comm) {
  int device = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaGetDeviceProperties(&properties, device), "asking for the device's number");
  const std::uint64_t mine =
      distributed::detail::number_of({properties.uuid.bytes, sizeof properties.uuid.bytes});
  std::vector<std::uint64_t> all(static_cast<std::size_t>(comm.size()));
  distributed::detail::check_mpi(
      MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm.mpi()),
      "MPI_Allgather");
  for (int second = 1; second < comm.size(); ++second)
    for (int first = 0; first < second; ++first)
      if (all[first] == all[second])
        throw InvalidArgument("NCCL: ranks " + std::to_string(first) + " and " +
                              std::to_string(second) +
                              " are on one GPU, which it refuses; start as many ranks as GPUs");
}

/// Collective where it is made and where it ends.
class NcclGroup {
public:
  explicit NcclGroup(const distributed::Comm& comm) {
    check_devices(comm);
    ncclUniqueId id{};
    if (comm.rank() == 0) check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    distributed::detail::check_mpi(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm.mpi()), "MPI_Bcast");
    check_nccl(ncclCommInitRank(&group_, comm.size(), id, comm.rank()), "ncclCommInitRank");
  }
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  ~NcclGroup() { static_cast<void>(ncclCommDestroy(group_)); }

  ncclComm_t get() const { return group_; }

  /// Throws what went wrong since.
  void check() const {
    ncclResult_t status = ncclSuccess;
    check_nccl(ncclCommGetAsyncError(group_, &status), "ncclCommGetAsyncError");
    check_nccl(status, "sending");
  }

private:
  ncclComm_t group_ = nullptr;
};

} // namespace ado::bench::native
