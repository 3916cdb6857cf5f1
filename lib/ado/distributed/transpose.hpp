// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of a matrix whose rows lie on many ranks.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/peer_plan.hpp>
#include <ado/distributed/transpose_pieces.hpp>
#include <ado/distributed/transpose_staged.hpp>
#include <ado/distributed/transpose_ways.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::distributed {

/// Bytes of workspace that transpose needs on rank `rank` in the space Exec, for elements of
/// `element_bytes`, where `rows` and `columns` say how the matrix and its transpose are cut. On a
/// host they are some MiB at most for each thread. Where GPUs write into each other's memory, most
/// of it is not used.
/// \throws InvalidArgument  where they do not fit in 64 bits
template <class Exec = Kokkos::DefaultExecutionSpace>
std::size_t transpose_workspace_bytes(const Blocks& rows, const Blocks& columns, int rank,
                                      std::size_t element_bytes) {
  if constexpr (ado::detail::runs_on_host<Exec>)
    return detail::pieces_workspace_bytes<Exec>(rows, columns, rank, element_bytes);
  const std::size_t staged = detail::staged_workspace_bytes(rows, columns, rank, element_bytes);
  return std::max(staged, detail::slab_workspace_bytes(rank, rows, columns, element_bytes, 0));
}

/// How large a View of bytes to allocate so that others write into a b of `bytes` at the speed of
/// the link: with the header that Kokkos puts before it, it is whole pages. See transpose. Throws
/// nothing; costs nothing.
inline std::size_t bytes_for_peers(std::size_t bytes) {
  constexpr std::size_t header = 128; // Kokkos', before the elements of a View
  return ado::detail::round_up(bytes + header, detail::peer_page_bytes) - header;
}

/// The transpose of a matrix whose rows are dealt out to ranks: b(j, i) = a(i, j). Collective over
/// comm.
///
/// \param exec       instance of an execution space that can access a and b
/// \param comm       the ranks
/// \param a          this rank's rows of the R x C matrix: shape (rows.count(rank), C), in any
///                   layout that ado::transpose takes
/// \param rows       how R is cut among the ranks
/// \param b          this rank's rows of the transpose: shape (columns.count(rank), R); is
///                   overwritten
/// \param columns    how C is cut among the ranks
/// \param workspace  temporary memory, transpose_workspace_bytes(); a smaller one is enlarged first
/// \throws InvalidArgument     on all ranks alike, where on any of them shapes, strides or blocks
///                             do not fit or memory cannot be had, or where ranks differ in blocks
///                             or in the size of an element; before anything is sent
/// \throws CommunicationError  where MPI fails; b is undefined then
///
/// Types, layouts, aliasing: as for ado::transpose.
///
/// Shapes: any extents and any blocks, empty ones included.
///
/// GPUs of NVIDIA in one machine write into each other's memory, for any layouts. All ranks must be
/// able to: each has its b in memory of cudaMalloc, and CUDA's interprocess handles work. An
/// allocation that is no whole number of pages takes them longer: a View has a header of Kokkos
/// before it, so allocate b as below. Else memory that the host cannot access goes through
/// page-locked memory of the host. No MPI has to know of GPUs.
///
/// What others write into stays open to them until comm ends, or until a call after b was freed.
/// Its memory may be given back to the GPU only then.
///
/// Asynchrony: returns when b is complete; waits for exec.
///
/// Cost: O(R C / ranks) of memory and as much to send. The local transpose is the packing. On a
/// host, blocks go in pieces of 256 KiB at most, which stay in cache between a and b. GPUs that
/// write into each other's memory take a small allgather and a barrier besides, and some
/// milliseconds once for each b; else each rank sends one block to each other one, at most 1 GiB at
/// a time.
///
/// Accuracy: elements are moved bit by bit, so the result does not depend on the number of ranks.
///
/// Example:
///
///     ado::distributed::Blocks rows(R, comm.size()), columns(C, comm.size());
///     Kokkos::View<double**> a("a", rows.count(comm.rank()), C);
///     Kokkos::View<double**> b("b", columns.count(comm.rank()), R);
///     ado::distributed::transpose(Kokkos::DefaultExecutionSpace(), comm, a, rows, b, columns);
///
/// Example, a b into which other GPUs write at the speed of the link:
///
///     const std::size_t mine = columns.count(comm.rank());
///     Kokkos::View<std::byte*> memory(
///         "b", ado::distributed::bytes_for_peers(mine * R * sizeof(double)));
///     Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::MemoryTraits<Kokkos::Unmanaged>> b(
///         reinterpret_cast<double*>(memory.data()), mine, R);
template <class Exec, class A, class B>
void transpose(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
               const Blocks& columns, Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<A>, "ado::distributed::transpose: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<B>, "ado::distributed::transpose: b is no Kokkos::View");
  static_assert(ado::detail::check_view<Exec, A, 2>());
  static_assert(ado::detail::check_output<Exec, B, 2>());
  detail::TransposeCall(exec, comm, a, rows, b, columns, workspace).run(detail::Way::automatic, 0);
}

/// The same with a workspace of its own.
template <class Exec, class A, class B>
void transpose(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
               const Blocks& columns) {
  Workspace<Exec> workspace;
  ado::distributed::transpose(exec, comm, a, rows, b, columns, workspace);
}

} // namespace ado::distributed
