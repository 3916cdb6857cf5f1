// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bilinear form y^T A x where the rows of A lie on many ranks.
#pragma once

#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/gather.hpp>
#include <ado/distributed/host_memory.hpp>
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

/// How yax wants `rows` rows of `columns` elements of `element_bytes` cut among `parts` ranks: as
/// even as can be where blocks begin with a tile, so that each tile is summed by one rank.
/// \throws InvalidArgument  where parts is not positive
template <class Exec>
Blocks yax_blocks(std::size_t rows, std::size_t columns, std::size_t element_bytes, int parts) {
  const auto tiles = detail::yax_tiles<Exec>(rows, columns, element_bytes);
  return detail::blocks_of_groups(rows, std::max<std::size_t>(1, tiles.rows_per_tile), parts);
}

/// Bytes of workspace that yax needs on each rank for an a of `rows` x `columns` elements of
/// `element_bytes` in all.
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

/// Which of all tiles each rank sums.
inline Blocks tiles_of_ranks(const Blocks& rows, const ado::detail::YaxTiles& tiles) {
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < rows.parts(); ++rank)
    counts.push_back(tiles.count == 0
                         ? 0
                         : ado::detail::ceil_div(rows.count(rank), tiles.rows_per_tile) *
                               tiles.pieces);
  return Blocks(counts);
}

} // namespace detail

/// The bilinear form y^T a x of a matrix whose rows are dealt out to ranks: result() = sum over i
/// of y(i) * sum over j of a(i, j) * x(j), on all ranks. Collective over comm.
///
/// \param exec       instance of an execution space that can access y, a, x and result
/// \param comm       the ranks
/// \param y          this rank's part of y: shape (rows.count(rank)), any layout of stride 1
/// \param a          this rank's rows of the R x C matrix: shape (rows.count(rank), C),
///                   LayoutRight, any leading dimension
/// \param x          the whole x, the same on all ranks: shape (C), any layout of stride 1
/// \param rows       how R is cut among the ranks: yax_blocks(), or any other blocks that begin
///                   with its tiles
/// \param result     rank 0; is overwritten, with the same bits on all ranks
/// \param workspace  temporary memory, yax_workspace_bytes(); a smaller one is enlarged first
/// \throws InvalidArgument     on all ranks alike, where on any of them shapes, strides or blocks
///                             do not fit or memory cannot be had, or where ranks differ in blocks
///                             or types; result is as before, and nothing is under way on exec
/// \throws CommunicationError  where MPI fails; result is undefined then
///
/// Types: all elements are float, or all are double.
///
/// Shapes: any extents. An empty a gives 0.
///
/// Asynchrony: the ranks talk while their GPUs work. result is asynchronous on exec; GPUs that
/// reach each other's memory wait for each other without the host, else it waits for exec before it
/// sends.
///
/// Cost: O(R C / ranks); reads a once, and twice if this rank's arrays begin on boundaries of 16
/// bytes and another's do not. Each rank sends a number for each of its tiles to all: 512 KiB of
/// doubles in all at most, where rows are not cut in pieces.
///
/// Accuracy: tiles are those of the whole matrix, and one kernel adds their sums in their order on
/// every rank. So the result has the bits of ado::yax of the whole, whatever the number of ranks,
/// if all arrays begin on boundaries of 16 bytes.
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
  static_assert(ado::detail::check_view<Exec, Y, 1>());
  static_assert(ado::detail::check_view<Exec, A, 2>());
  static_assert(ado::detail::check_view<Exec, X, 1>());
  static_assert(ado::detail::check_output<Exec, Result, 0>());
  static_assert(ado::detail::check_real<T>());
  static_assert(std::is_same_v<typename A::array_layout, Kokkos::LayoutRight>,
                "ado::distributed::yax: a must be LayoutRight, for it is cut by rows");

  const int me = comm.rank();
  const std::size_t columns = a.extent(1);
  const auto tiles = detail::yax_tiles<Exec>(rows.total(), columns, sizeof(T));
  const Blocks sums = detail::tiles_of_ranks(rows, tiles);
  ado::detail::YaxRef<T> part{};
  T* partial = nullptr; // the sums of all tiles, and behind them y where stage 2 reads it
  std::optional<detail::HostMemory<Exec, T>> host;
  const auto sum_tiles = [&](bool wide) {
    auto mine = tiles;
    mine.count = sums.count(me);
    ado::detail::yax_tile_sums(exec, part, mine, wide, partial + sums.first(me));
  };
  Kokkos::Profiling::ScopedRegion region("ado::distributed::yax");
  const std::array terms{
      detail::Term{"the number of rows", rows.total()},
      detail::Term{"the number of columns", columns},
      detail::Term{"the bytes of an element", sizeof(T)},
      detail::Term{"where blocks of rows begin (a fingerprint)", detail::number_of(rows)}};
  const auto prepare = [&](detail::Message& told) {
    const std::string problem = detail::yax_problem(comm, y, a, x, rows, tiles.rows_per_tile);
    if (!problem.empty()) return problem;
    const auto matrix = ado::detail::matrix_ref("yax", "a", a);
    part = {ado::detail::vector_ref("yax", "y", y), matrix.data, matrix.rows, columns, matrix.ld,
            ado::detail::vector_ref("yax", "x", x)};
    const std::size_t bytes = yax_workspace_bytes<Exec>(rows.total(), columns, sizeof(T));
    workspace.reserve(bytes);
    partial = workspace.template as<T>();
    host.emplace(comm, bytes / sizeof(T));
    const bool wide = ado::detail::runs_on_host<Exec> || part.rows == 0 || // does not matter
                      ado::detail::yax_reads_packs(part);
    sum_tiles(wide); // on a GPU while the ranks talk
    told = {wide ? 1u : 0u, detail::device_of(exec)};
    return problem;
  };
  const auto messages = detail::agree_beside(comm, "yax", terms, prepare,
                                             [&] { exec.fence("ado::distributed: refused"); });
  const auto wide = detail::words_of(messages, 0), devices = detail::words_of(messages, 1);
  if (wide[me] != 0 && std::count(wide.begin(), wide.end(), 0u) != 0) sum_tiles(false);
  detail::gather(exec, comm, devices, *host, partial, 0, sums);
  if (tiles.pieces > 1) {
    Kokkos::deep_copy(exec,
                      detail::OnDevice<Exec, T*>(partial + tiles.count + rows.first(me), part.rows),
                      detail::OnDevice<Exec, const T*>(part.y, part.rows));
    detail::gather(exec, comm, devices, *host, partial, tiles.count, rows);
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
