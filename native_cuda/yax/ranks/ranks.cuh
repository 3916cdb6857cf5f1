// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax of a matrix whose rows lie on many ranks, by hand in CUDA: the twin of ado/distributed/yax.hpp.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/peer_gather.hpp>
#include <ado/distributed/peer_memory.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/yax/rank_rows.hpp>

#include <cuda_runtime_api.h>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/ranks.hpp>
#include <native_cuda/yax/yax.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ado::native {

using distributed::Blocks;
using distributed::Comm;
using distributed::detail::Message;

/// How the mini-app deals out rows.
inline Blocks yax_rows(const Shape& s, int parts) {
  return distributed::detail::blocks_of_groups(s[0], yax_rank_height(s, true), parts);
}

/// Numbers of workspace for `rows` x `columns` in all: a sum for each tile, and y where rows are cut in pieces.
template <class T>
std::size_t yax_of_ranks_numbers(std::size_t rows, std::size_t columns) {
  const YaxCudaTiles tiles = yax_cuda_tiles(rows, columns, sizeof(T));
  return tiles.count(rows) + (tiles.map.pieces > 1 ? rows : 0);
}

/// Numbers in memory of the GPU, of which each rank has some and all get all: ranks write into each other's memory where they
/// can, else they send messages through the host.
template <class T>
class RankNumbers {
public:
  RankNumbers(const Comm& comm, T* numbers, std::size_t count, cudaStream_t stream)
      : comm_(comm), numbers_(numbers), count_(count), stream_(stream) {
    check(cudaGetDevice(&device_), "asking for the device");
    memory_ = &comm.kept<distributed::detail::PeerMemory>(
        [&] { return std::make_shared<distributed::detail::PeerMemory>(device_); });
  }

  /// What others must know to write here. Nothing of this rank's work is under way then.
  Message offer() {
    host_ = &comm_.kept<RankMemory<true>>([] { return std::make_shared<RankMemory<true>>(); });
    host_->reserve(count_ * sizeof(T));
    const Message message = memory_->offer(comm_, device_, numbers_, count_ == 0).message();
    check(cudaStreamSynchronize(stream_), "waiting until others may write sums");
    return message;
  }
  /// Of all ranks. Collective.
  void open(const std::vector<Message>& messages) {
    offers_ = distributed::detail::offers_of(messages);
    reach_ = memory_->open(comm_, offers_).empty();
  }
  /// Completes the numbers from `at` on, of which rank r has written part r.
  void gather(std::size_t at, const Blocks& parts) const {
    using namespace distributed::detail;
    if (reach_) return gather_by_peers(comm_, *memory_, offers_, numbers_, at, parts, stream_);
    const std::size_t before = parts.first(comm_.rank());
    T* const host = reinterpret_cast<T*>(host_->data()) + at;
    copy(host + before, numbers_ + at + before, parts.count(comm_.rank()));
    check(cudaStreamSynchronize(stream_), "waiting for the sums");
    gather_parts(comm_, host, parts);
    copy(numbers_ + at, host, parts.total());
  }
  void copy(T* to, const T* from, std::size_t count) const {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream_),
          "copying numbers");
  }

private:
  const Comm& comm_;
  T* numbers_;
  std::size_t count_;
  cudaStream_t stream_;
  int device_ = 0;
  distributed::detail::PeerMemory* memory_ = nullptr;
  RankMemory<true>* host_ = nullptr;
  std::vector<distributed::detail::Offer> offers_;
  bool reach_ = false;
};

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

/// *result = y^T a x on all ranks, with the bits of yax() of the whole. Collective over comm; blocks begin with tiles of
/// yax_cuda_tiles(). `workspace`: yax_of_ranks_numbers(), which the call may keep open to others. Waits for stream; result is
/// asynchronous on it. On all ranks alike it throws ado::InvalidArgument where arguments do not fit, before anything is
/// computed; ado::distributed::CommunicationError or ado::Error where CUDA or MPI fails.
template <class T>
void yax_of_ranks(const Comm& comm, const YaxRows<T>& p, const Blocks& rows, T* result,
                  T* workspace, cudaStream_t stream) {
  using namespace distributed::detail;
  const YaxCudaTiles tiles = yax_cuda_tiles(rows.total(), p.columns, sizeof(T));
  const std::array terms{Term{"the number of columns", p.columns},
                         Term{"the bytes of an element", sizeof(T)},
                         Term{"where blocks of rows begin (a fingerprint)", number_of(rows)}};
  RankNumbers<T> numbers(comm, workspace, yax_of_ranks_numbers<T>(rows.total(), p.columns), stream);
  const auto messages = agree_and_tell(comm, "yax by hand in CUDA", terms, [&](Message& message) {
    const std::string problem = yax_of_ranks_problem(comm, p, rows, tiles.rows_per_tile);
    if (!problem.empty()) return problem;
    message = numbers.offer();
    message.back() = p.rows == 0 || reads_wide(p) ? 1 : 0; // an Offer leaves it free
    return problem;
  });
  const bool wide = std::all_of(messages.begin(), messages.end(),
                                [](const Message& message) { return message.back() != 0; });
  numbers.open(messages);
  std::vector<std::size_t> counts; // of each rank
  for (int rank = 0; rank < comm.size(); ++rank)
    counts.push_back(tiles.count(rows.count(rank)));
  const Blocks sums(counts);
  const std::size_t count = tiles.count(rows.total());
  yax_tile_sums(tiles, p, wide, workspace + sums.first(comm.rank()), stream);
  numbers.gather(0, sums);
  T* const y = workspace + count;
  if (tiles.map.pieces > 1) {
    numbers.copy(y + rows.first(comm.rank()), p.y, p.rows);
    numbers.gather(count, rows);
  }
  yax_join(tiles, rows.total(), p.columns, y, workspace, result, stream);
}

} // namespace ado::native
