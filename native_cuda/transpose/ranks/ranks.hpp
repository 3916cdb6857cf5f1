// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose of a matrix whose rows lie on many ranks, on GPUs of one machine, by hand in CUDA:
// the twins of the ways in ado/distributed/transpose_peers.hpp.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/registry/variant.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ado::bench::native {

/// A rank's part: its rows of a (rows.count(rank) x C) and of b (columns.count(rank) x R), both
/// row-major in memory of cudaMalloc; leading dimensions in elements of 1, 2, 4, 8 or 16 bytes.
struct RankMatrices {
  std::size_t element_bytes;
  const void* a;
  std::size_t lda;
  void* b;
  std::size_t ldb;
};

/// Of a call of the mini-app.
inline RankMatrices rank_matrices(const Call& call) {
  const Array &a = call.arrays[0], &b = call.arrays[1];
  return {size_of(call.type), a.data, a.stride[0], b.data, b.stride[0]};
}

// b(j, i) = a(i, j), collective over comm. Each waits for stream first, and returns when b is
// complete. Before anything is written they throw ado::InvalidArgument, on all ranks alike, where
// arguments do not fit or ranks cannot write into each other's memory. They throw
// ado::distributed::CommunicationError or ado::Error where CUDA or MPI fails. The first call makes
// streams and memory, which comm keeps.

/// Kernels store tiles into the others' memory.
void transpose_remote_stores(const distributed::Comm& comm, const RankMatrices& m,
                             const distributed::Blocks& rows, const distributed::Blocks& columns,
                             cudaStream_t stream);
/// Everything is packed, then a copy engine sends a block to each rank. Memory: as much as a.
void transpose_packed(const distributed::Comm& comm, const RankMatrices& m,
                      const distributed::Blocks& rows, const distributed::Blocks& columns,
                      cudaStream_t stream);
/// A slab is packed while the one before it is sent, the own block beside. `slabs` for each other
/// rank, or the best number where that is 0. Memory: three slabs.
void transpose_slabs(const distributed::Comm& comm, const RankMatrices& m,
                     const distributed::Blocks& rows, const distributed::Blocks& columns,
                     cudaStream_t stream, std::size_t slabs = 0);

} // namespace ado::bench::native
