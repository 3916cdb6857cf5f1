// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bilinear form y^T A x where the rows of A lie on many ranks.
#pragma once

#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/gather.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/peers.hpp>
#include <ado/portable/views.hpp>
#include <ado/yax/yax.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ado::distributed {

namespace detail {

/// Rows that belong together, because their sums are added before they meet others.
template <class Exec>
ado::detail::YaxTiles yax_tiles(std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  return ado::detail::yax_tiles(ado::detail::runs_on_host<Exec>, rows, columns, element_bytes);
}

} // namespace detail

/// How yax wants `rows` rows of `columns` elements of `element_bytes` cut among `parts` ranks: as even as can be
/// where blocks begin with a tile, so that each tile is summed by one rank.
/// \throws InvalidArgument  where parts is not positive
template <class Exec>
Blocks yax_blocks(std::size_t rows, std::size_t columns, std::size_t element_bytes, int parts) {
  const auto tiles = detail::yax_tiles<Exec>(rows, columns, element_bytes);
  return detail::blocks_of_groups(rows, std::max<std::size_t>(1, tiles.rows_per_tile), parts);
}

/// Bytes of workspace that yax needs on each rank for an a of `rows` x `columns` elements of `element_bytes` in all.
/// \throws InvalidArgument  where they do not fit in 64 bits
template <class Exec>
std::size_t yax_workspace_bytes(std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  const auto tiles = detail::yax_tiles<Exec>(rows, columns, element_bytes);
  const std::size_t weights = tiles.pieces > 1 ? rows : 0; // y, which stage 2 reads then
  return ado::detail::checked_product({tiles.count + weights, element_bytes},
                                      "ado::distributed::yax: workspace");
}

namespace detail {

/// What does not fit of a call on this rank; empty where all does.
template <class Y, class A, class X>
std::string yax_problem(const Comm& comm, const Y& y, const A& a, const X& x, const Blocks& rows,
                        std::size_t height) {
  if (const std::string problem = cut_problem(comm, "rows", rows); !problem.empty()) return problem;
  for (int rank = 0; rank < rows.parts(); ++rank)
    if (rows.count(rank) != 0 && rows.first(rank) % height != 0)
      return "the block of rank " + std::to_string(rank) + " begins with row " +
             std::to_string(rows.first(rank)) + ", which is no multiple of " +
             std::to_string(height) +
             "; ado::distributed::yax_blocks() cuts where sums of rows may be parted";
  const std::size_t mine = rows.count(comm.rank());
  if (a.extent(0) != mine)
    return "a has shape " + ado::detail::shape_of(a) + ", but this rank has " +
           std::to_string(mine) + " rows";
  ado::detail::check_extent("yax", "y", y, 0, "a", a, mine);
  ado::detail::check_extent("yax", "x", x, 0, "a", a, a.extent(1));
  return "";
}

/// Where the ranks' sums meet: they write into each other's workspace if they can, else they send messages.
template <class Exec, class T>
class Sums {
public:
  /// For `count` elements in the workspace; what others must know to reach them is in `message`. Nothing of this rank's
  /// work on the workspace is under way then.
  void offer(const Exec& exec, const Comm& comm, Workspace<Exec>& workspace, std::size_t count,
             Message& message) {
    workspace.reserve(count * sizeof(T));
    data_ = workspace.template as<T>();
    host_.emplace(comm, count);
    if constexpr (has_peers<Exec>) {
      message = peers_of(comm, exec).offer(comm, exec.cuda_device(), data_, count == 0).message();
      exec.fence("ado::distributed::yax: others may write sums");
    }
  }
  T* data() const { return data_; }
  /// As gather(), and after the messages of all ranks.
  void gather(const Exec& exec, const Comm& comm, const std::vector<Message>& messages,
              std::size_t at, const Blocks& parts) {
    if constexpr (has_peers<Exec>) {
      const std::vector<Offer> offers = offers_of(messages);
      auto& memory = peers_of(comm, exec);
      if (memory.open(comm, offers).empty())
        return gather_by_peers(comm, memory, offers, data_, at, parts, exec.cuda_stream());
    }
    detail::gather(exec, comm, *host_, data_, at, parts);
  }

private:
  T* data_ = nullptr;
  std::optional<HostMemory<Exec, T>> host_;
};

} // namespace detail

/// The bilinear form y^T a x of a matrix whose rows are dealt out to ranks: result() = sum over i of y(i) * sum over j of
/// a(i, j) * x(j), on all ranks. Collective over comm.
///
/// \param exec       instance of an execution space that can access y, a, x and result
/// \param comm       the ranks
/// \param y          this rank's part of y: shape (rows.count(rank)), any layout of stride 1
/// \param a          this rank's rows of the R x C matrix: shape (rows.count(rank), C), LayoutRight, any leading
///                   dimension
/// \param x          the whole x, the same on all ranks: shape (C), any layout of stride 1
/// \param rows       how R is cut among the ranks: yax_blocks(), or any other blocks that begin with its tiles
/// \param result     rank 0; is overwritten, with the same bits on all ranks
/// \param workspace  temporary memory, yax_workspace_bytes(); a smaller one is enlarged first
/// \throws InvalidArgument     on all ranks alike, where on any of them shapes, strides or blocks do not fit or memory
///                             cannot be had, or where ranks differ in blocks or types; before anything is computed
/// \throws CommunicationError  where MPI fails; result is undefined then
///
/// Types: all elements are float, or all are double.
///
/// Shapes: any extents. An empty a gives 0.
///
/// Asynchrony: waits for exec before it sends; result is asynchronous on exec.
///
/// Cost: O(R C / ranks); reads a once. Each rank sends a number for each of its tiles to all: 512 KiB of doubles in all
/// at most, where rows are not cut in pieces.
///
/// Accuracy: tiles are those of the whole matrix, and one kernel adds their sums in their order on every rank. So the
/// result has the bits of ado::yax of the whole, whatever the number of ranks, if all arrays begin on boundaries of 16
/// bytes.
///
/// Example:
///
///     const auto rows = ado::distributed::yax_blocks<Exec>(R, C, sizeof(double), comm.size());
///     Kokkos::View<double**, Kokkos::LayoutRight> a("a", rows.count(comm.rank()), C);
///     Kokkos::View<double*> y("y", rows.count(comm.rank())), x("x", C);
///     Kokkos::View<double> result("result");
///     ado::distributed::yax(Exec(), comm, y, a, x, rows, result);
template <class Exec, class Y, class A, class X, class Result>
void yax(const Exec& exec, const Comm& comm, const Y& y, const A& a, const X& x, const Blocks& rows,
         const Result& result, Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<Y>, "ado::distributed::yax: y is no Kokkos::View");
  static_assert(Kokkos::is_view_v<A>, "ado::distributed::yax: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<X>, "ado::distributed::yax: x is no Kokkos::View");
  static_assert(Kokkos::is_view_v<Result>, "ado::distributed::yax: result is no Kokkos::View");
  using T = typename Result::non_const_value_type;
  ado::detail::check_view<Exec, Y, 1>();
  ado::detail::check_view<Exec, A, 2>();
  ado::detail::check_view<Exec, X, 1>();
  ado::detail::check_output<Exec, Result, 0>();
  ado::detail::check_real<T>();
  static_assert(std::is_same_v<typename A::array_layout, Kokkos::LayoutRight>,
                "ado::distributed::yax: a must be LayoutRight, for it is cut by rows");

  const int me = comm.rank();
  const std::size_t columns = a.extent(1);
  const auto tiles = detail::yax_tiles<Exec>(rows.total(), columns, sizeof(T));
  ado::detail::YaxRef<T> part{};
  detail::Sums<Exec, T> sums_of_all;
  const std::array terms{
      detail::Term{"the number of rows", rows.total()},
      detail::Term{"the number of columns", columns},
      detail::Term{"the bytes of an element", sizeof(T)},
      detail::Term{"where blocks of rows begin (a fingerprint)", detail::number_of(rows)}};
  const auto messages = detail::agree_and_tell(comm, "yax", terms, [&](detail::Message& message) {
    const std::string problem = detail::yax_problem(comm, y, a, x, rows, tiles.rows_per_tile);
    if (!problem.empty()) return problem;
    const auto matrix = ado::detail::matrix_ref("yax", "a", a);
    part = {ado::detail::vector_ref("yax", "y", y), matrix.data, matrix.rows, columns, matrix.ld,
            ado::detail::vector_ref("yax", "x", x)};
    const std::size_t bytes = yax_workspace_bytes<Exec>(rows.total(), columns, sizeof(T));
    sums_of_all.offer(exec, comm, workspace, bytes / sizeof(T), message);
    message.back() = part.rows == 0 || ado::detail::yax_reads_packs(part) ? 1 : 0;
    return problem;
  });
  const bool wide = std::all_of(messages.begin(), messages.end(),
                                [](const detail::Message& message) { return message.back() != 0; });

  Kokkos::Profiling::ScopedRegion region("ado::distributed::yax");
  std::vector<std::size_t> counts; // of each rank
  for (int rank = 0; rank < comm.size(); ++rank)
    counts.push_back(columns == 0 ? 0
                                  : ado::detail::ceil_div(rows.count(rank), tiles.rows_per_tile) *
                                        tiles.pieces);
  const Blocks sums(counts);
  auto mine = tiles; // of this rank
  mine.count = sums.count(me);
  T* const partial = sums_of_all.data();
  ado::detail::yax_tile_sums(exec, part, mine, wide, partial + sums.first(me));
  sums_of_all.gather(exec, comm, messages, 0, sums);
  if (tiles.pieces > 1) {
    Kokkos::deep_copy(exec,
                      detail::OnDevice<Exec, T*>(partial + tiles.count + rows.first(me), part.rows),
                      detail::OnDevice<Exec, const T*>(part.y, part.rows));
    sums_of_all.gather(exec, comm, messages, tiles.count, rows);
  }
  if (tiles.count == 1) // as ado::yax has it: that sum is the result
    Kokkos::deep_copy(exec, detail::OnDevice<Exec, T>(result.data()),
                      detail::OnDevice<Exec, const T>(partial));
  else
    ado::detail::yax_join(exec, tiles, partial + tiles.count, rows.total(), partial, result.data());
}

/// The same with a workspace of its own: allocates it, and fences exec before freeing it.
template <class Exec, class Y, class A, class X, class Result>
void yax(const Exec& exec, const Comm& comm, const Y& y, const A& a, const X& x, const Blocks& rows,
         const Result& result) {
  Workspace<Exec> workspace;
  ado::distributed::yax(exec, comm, y, a, x, rows, result, workspace);
  exec.fence("ado::distributed::yax: before its workspace is freed");
}

} // namespace ado::distributed
