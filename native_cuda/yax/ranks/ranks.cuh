// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax of a matrix whose rows lie on many ranks, by hand in CUDA: the twin of
// ado/distributed/yax.hpp.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/peer_boxes.hpp>
#include <ado/yax/rank_rows.hpp>

#include <cuda_runtime_api.h>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/ranks.hpp>
#include <native_cuda/yax/yax.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ado::bench::native {

using distributed::Blocks;
using distributed::Comm;
using distributed::detail::Message;

/// How the mini-app deals out rows.
inline Blocks yax_rows(const Shape& s, int parts) {
  return distributed::detail::blocks_of_groups(s[0], yax_rank_height(s, true), parts);
}

/// Numbers of workspace for `rows` x `columns` in all: a sum for each tile, and y where rows are
/// cut in pieces.
template <class T>
std::size_t yax_of_ranks_numbers(std::size_t rows, std::size_t columns) {
  const YaxCudaTiles tiles = yax_cuda_tiles(rows, columns, sizeof(T));
  return tiles.count(rows) + (tiles.map.pieces > 1 ? rows : 0);
}

/// Completes numbers[0 ... parts.total()) on all ranks, of which rank r has written part r, in the
/// order of stream: from GPU to GPU if they reach each other, else through `host`. `devices` of all
/// ranks.
template <class T>
void gather_numbers(const Comm& comm, const std::vector<std::uint64_t>& devices, T* numbers,
                    const Blocks& parts, T* host, cudaStream_t stream) {
  using namespace distributed::detail;
  if (comm.size() == 1 ||
      PeerBoxes::of(comm, devices).gather(comm, devices, numbers, parts, stream))
    return;
  const std::size_t before = parts.first(comm.rank()), count = parts.count(comm.rank());
  const auto copy = [&](T* to, const T* from, std::size_t some) {
    check(cudaMemcpyAsync(to, from, some * sizeof(T), cudaMemcpyDefault, stream),
          "copying numbers");
  };
  copy(host + before, numbers + before, count);
  check(cudaStreamSynchronize(stream), "waiting for the numbers");
  gather_parts(comm, host, parts);
  copy(numbers, host, parts.total());
}

/// What does not fit of a call on this rank; empty where all does.
template <class T>
std::string yax_of_ranks_problem(const Comm& comm, const YaxRows<T>& p, const Blocks& rows,
                                 std::size_t height) {
  const std::string cut = distributed::detail::cut_problem(comm, "rows", rows);
  if (!cut.empty()) return cut;
  if (p.rows != rows.count(comm.rank())) return "a has other rows than its block";
  if (p.rows > 1 && p.lda < p.columns) return "rows of a overlap";
  for (int rank = 0; rank < rows.parts(); ++rank)
    if (rows.count(rank) != 0 && rows.first(rank) % height != 0)
      return "the block of rank " + std::to_string(rank) + " does not begin with a tile, of " +
             std::to_string(height) + " rows";
  return "";
}

/// *result = y^T a x on all ranks, with the bits of yax() of the whole. Collective over comm;
/// blocks begin with tiles of yax_cuda_tiles(). `workspace`: yax_of_ranks_numbers(). result is
/// asynchronous on stream; the call waits for stream where GPUs do not reach each other. On all
/// ranks alike it throws ado::InvalidArgument where arguments do not fit: *result is as before,
/// nothing under way. It throws ado::distributed::CommunicationError or ado::Error where CUDA or
/// MPI fails.
template <class T>
void yax_of_ranks(const Comm& comm, const YaxRows<T>& p, const Blocks& rows, T* result,
                  T* workspace, cudaStream_t stream) {
  using namespace distributed::detail;
  const YaxCudaTiles tiles = yax_cuda_tiles(rows.total(), p.columns, sizeof(T));
  const std::array terms{Term{"the number of columns", p.columns},
                         Term{"the bytes of an element", sizeof(T)},
                         Term{"where blocks of rows begin (a fingerprint)", number_of(rows)}};
  std::vector<std::size_t> counts; // of each rank
  for (int rank = 0; rank < rows.parts(); ++rank)
    counts.push_back(tiles.count(rows.count(rank)));
  const Blocks sums(counts);
  T* host = nullptr;
  const auto sum_tiles = [&](bool wide) {
    yax_tile_sums(tiles, p, wide, workspace + sums.first(comm.rank()), stream);
  };
  const auto prepare = [&](Message& told) {
    const std::string problem = yax_of_ranks_problem(comm, p, rows, tiles.rows_per_tile);
    if (!problem.empty()) return problem;
    auto& memory = comm.kept<RankMemory<true>>([] { return std::make_shared<RankMemory<true>>(); });
    memory.reserve(yax_of_ranks_numbers<T>(rows.total(), p.columns) * sizeof(T));
    host = reinterpret_cast<T*>(memory.data());
    int device = 0;
    check(cudaGetDevice(&device), "asking for the device");
    const bool wide = p.rows == 0 || reads_wide(p);
    sum_tiles(wide); // while the ranks talk
    told = {wide ? 1u : 0u, static_cast<std::uint64_t>(device)};
    return problem;
  };
  const auto messages = agree_beside(comm, "yax by hand in CUDA", terms, prepare,
                                     [&] { static_cast<void>(cudaStreamSynchronize(stream)); });
  const auto wide = words_of(messages, 0), devices = words_of(messages, 1);
  if (wide[comm.rank()] != 0 && std::count(wide.begin(), wide.end(), 0u) != 0) sum_tiles(false);
  gather_numbers(comm, devices, workspace, sums, host, stream);
  T* const y = workspace + sums.total();
  if (tiles.map.pieces > 1) {
    check(cudaMemcpyAsync(y + rows.first(comm.rank()), p.y, p.rows * sizeof(T), cudaMemcpyDefault,
                          stream),
          "copying y");
    gather_numbers(comm, devices, y, rows, host, stream);
  }
  yax_join(tiles, rows.total(), p.columns, y, workspace, result, stream);
}

} // namespace ado::bench::native
