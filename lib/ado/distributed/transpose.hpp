// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose of a matrix whose rows lie on many ranks.
#pragma once

#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/exchange.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/distributed/transpose_pieces.hpp>
#include <ado/portable/views.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ado::distributed {

/// Bytes of workspace that transpose needs on rank `rank` in the space Exec, for elements of `element_bytes`, where
/// `rows` and `columns` say how the matrix and its transpose are cut. On a host they are some MiB at most for each thread.
/// \throws InvalidArgument  where they do not fit in 64 bits
template <class Exec = Kokkos::DefaultExecutionSpace>
std::size_t transpose_workspace_bytes(const Blocks& rows, const Blocks& columns, int rank,
                                      std::size_t element_bytes) {
  if constexpr (ado::detail::runs_on_host<Exec>)
    return detail::pieces_workspace_bytes<Exec>(rows, columns, rank, element_bytes);
  const char* what = "ado::distributed::transpose: workspace";
  const std::size_t sent =
      ado::detail::checked_product({columns.total(), rows.count(rank), element_bytes}, what);
  const std::size_t received =
      ado::detail::checked_product({columns.count(rank), rows.total(), element_bytes}, what);
  return ado::detail::round_up(sent, 256) + received;
}

namespace detail {

/// What does not fit of a call on this rank; empty where all does.
template <class A, class B>
std::string transpose_problem(const Comm& comm, const A& a, const Blocks& rows, const B& b,
                              const Blocks& columns) {
  if (const std::string problem = cut_problem(comm, "rows", rows); !problem.empty()) return problem;
  if (const std::string problem = cut_problem(comm, "columns", columns); !problem.empty())
    return problem;
  const auto extents = [&](const char* name, const auto& view, std::size_t first,
                           std::size_t second) -> std::string {
    if (view.extent(0) == first && view.extent(1) == second) return "";
    return std::string(name) + " has shape " + ado::detail::shape_of(view) +
           ", but with these blocks of rows and columns it must be (" + std::to_string(first) +
           ", " + std::to_string(second) + ")";
  };
  const std::string of_a = extents("a", a, rows.count(comm.rank()), columns.total());
  if (!of_a.empty()) return of_a;
  if (a.size() != 0 && static_cast<const void*>(a.data()) == static_cast<const void*>(b.data()))
    return "b is the memory of a; ado does not transpose in place";
  return extents("b", b, columns.count(comm.rank()), rows.total());
}

} // namespace detail

/// The transpose of a matrix whose rows are dealt out to ranks: b(j, i) = a(i, j). Collective over comm.
///
/// \param exec       instance of an execution space that can access a and b
/// \param comm       the ranks
/// \param a          this rank's rows of the R x C matrix: shape (rows.count(rank), C), in any layout that
///                   ado::transpose takes
/// \param rows       how R is cut among the ranks
/// \param b          this rank's rows of the transpose: shape (columns.count(rank), R); is overwritten
/// \param columns    how C is cut among the ranks
/// \param workspace  temporary memory, transpose_workspace_bytes(); a smaller one is enlarged first
/// \throws InvalidArgument     on all ranks alike, where on any of them shapes, strides or blocks do not fit or memory
///                             cannot be had, or where ranks differ in blocks or in the size of an element; before
///                             anything is sent
/// \throws CommunicationError  where MPI fails; b is undefined then
///
/// Types, layouts, aliasing: as for ado::transpose.
///
/// Shapes: any extents and any blocks, empty ones included.
///
/// Memory that the host cannot access goes through page-locked memory of the host: no MPI has to know of GPUs.
///
/// Asynchrony: returns when b is complete; waits for exec.
///
/// Cost: O(R C / ranks) of memory and as much of messages. The local transpose is the packing. On a host, blocks go in
/// pieces of 256 KiB at most, which stay in cache between a and b. On a GPU each rank sends one block to each other one, at
/// most 1 GiB at a time.
///
/// Accuracy: elements are moved bit by bit, so the result does not depend on the number of ranks.
///
/// Example:
///
///     ado::distributed::Blocks rows(R, comm.size()), columns(C, comm.size());
///     Kokkos::View<double**> a("a", rows.count(comm.rank()), C), b("b", columns.count(comm.rank()), R);
///     ado::distributed::transpose(Kokkos::DefaultExecutionSpace(), comm, a, rows, b, columns);
template <class Exec, class A, class B>
void transpose(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
               const Blocks& columns, Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<A>, "ado::distributed::transpose: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<B>, "ado::distributed::transpose: b is no Kokkos::View");
  ado::detail::check_view<Exec, A, 2>();
  ado::detail::check_output<Exec, B, 2>();
  using T = typename B::non_const_value_type;
  const int me = comm.rank();

  const std::array terms{
      detail::Term{"the number of rows", rows.total()},
      detail::Term{"the number of columns", columns.total()},
      detail::Term{"the bytes of an element", sizeof(T)},
      detail::Term{"where blocks of rows begin (a fingerprint)", detail::number_of(rows)},
      detail::Term{"where blocks of columns begin (a fingerprint)", detail::number_of(columns)}};
  std::optional<detail::HostMemory<Exec, T>> host;
  detail::agree(comm, "transpose", terms, [&] {
    const std::string problem = detail::transpose_problem(comm, a, rows, b, columns);
    if (!problem.empty()) return problem;
    (void)ado::detail::matrix_ref("transpose", "a", a);
    (void)ado::detail::matrix_ref("transpose", "b", b);
    const std::size_t bytes = transpose_workspace_bytes<Exec>(rows, columns, me, sizeof(T));
    workspace.reserve(bytes);
    host.emplace(bytes / sizeof(T));
    return problem;
  });

  Kokkos::Profiling::ScopedRegion region("ado::distributed::transpose");
  if constexpr (ado::detail::runs_on_host<Exec>)
    return detail::run_pieces(exec, comm, a, rows, b, columns, workspace.template as<T>());
  const std::size_t mine = rows.count(me), width = columns.count(me);
  // Packed and received lie in the workspace one behind the other, and so they do on the host.
  const std::size_t behind =
      ado::detail::round_up(columns.total() * mine * sizeof(T), 256) / sizeof(T);
  T* const packed = workspace.template as<T>();
  T* const received = packed + behind;
  ado::transpose(exec, a, detail::OnDevice<Exec, T**>(packed, columns.total(), mine));
  // A block that comes is of shape (width, rows of its rank) by rows; read by columns it is part of a, and turns into
  // b's layout, whichever that is.
  const auto unpack = [&](int rank, T* block) {
    const std::pair place(rows.first(rank), rows.first(rank) + rows.count(rank));
    ado::transpose(exec,
                   detail::OnDevice<Exec, T**, Kokkos::LayoutLeft>(block, rows.count(rank), width),
                   Kokkos::subview(b, Kokkos::ALL, place));
  };
  host->fetch(exec, packed, 0, columns.total() * mine);
  std::vector<detail::Part> to(comm.size()), from(comm.size());
  for (int rank = 0; rank < comm.size(); ++rank) {
    to[rank] = host->part(packed, columns.first(rank) * mine, columns.count(rank) * mine);
    from[rank] = host->part(packed, behind + width * rows.first(rank), width * rows.count(rank));
  }
  detail::exchange(
      comm, to, from, [&] { unpack(me, packed + columns.first(me) * mine); },
      [&](int rank) {
        host->put(exec, packed, behind + width * rows.first(rank), width * rows.count(rank));
        unpack(rank, received + width * rows.first(rank));
      });
  exec.fence("ado::distributed::transpose: b is complete");
}

/// The same with a workspace of its own.
template <class Exec, class A, class B>
void transpose(const Exec& exec, const Comm& comm, const A& a, const Blocks& rows, const B& b,
               const Blocks& columns) {
  Workspace<Exec> workspace;
  ado::distributed::transpose(exec, comm, a, rows, b, columns, workspace);
}

} // namespace ado::distributed
