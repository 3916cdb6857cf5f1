// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times the mean vector of each set, where the rows of the matrix and of the sets lie on
// many ranks.
#pragma once

#include <ado/average_mv/average_mv.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/distributed/agree.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/distributed/gather.hpp>
#include <ado/distributed/host_memory.hpp>
#include <ado/portable/views.hpp>
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ado::distributed {

namespace detail {

/// Where the parts of the workspace begin, in bytes.
struct AverageMvMemory {
  std::size_t gathered, means, split_sums, copy_of_a, end;

  AverageMvMemory(std::size_t sets, std::size_t length, std::size_t rows, std::size_t element_bytes,
                  bool a_by_columns) {
    const char* what = "ado::distributed::average_mv: workspace";
    const std::size_t all = ado::detail::round_up(
        ado::detail::checked_product({sets, length, element_bytes}, what), 256);
    const std::size_t copy =
        a_by_columns ? ado::detail::checked_product({rows, length, element_bytes}, what) : 0;
    gathered = ado::detail::round_up(average_workspace_bytes(element_bytes), 256);
    means = gathered + all;
    split_sums = means + (sets > 1 ? all : 0);
    copy_of_a = split_sums + ado::detail::round_up(
                                 ado::detail::product_plan::split_bytes(length, sets, rows), 256);
    end = copy_of_a + copy;
  }
};

} // namespace detail

/// Bytes of workspace that average_mv needs on a rank with `rows` rows, for `sets` sets of `length`
/// vectors in all with elements of `element_bytes`; `a_by_columns` as in
/// average_mv_workspace_bytes().
/// \throws InvalidArgument  where they do not fit in 64 bits
inline std::size_t average_mv_workspace_bytes(std::size_t sets, std::size_t length,
                                              std::size_t rows, std::size_t element_bytes,
                                              bool a_by_columns = false) {
  return detail::AverageMvMemory(sets, length, rows, element_bytes, a_by_columns).end;
}

namespace detail {

/// What does not fit of a call on this rank; empty where all does.
template <class V, class A, class Y>
std::string average_mv_problem(const Comm& comm, const V& v, const A& a, const Y& y,
                               const Blocks& rows) {
  if (const std::string problem = cut_problem(comm, "rows", rows); !problem.empty()) return problem;
  const std::size_t mine = rows.count(comm.rank()), sets = v.extent(0), length = rows.total();
  if (v.extent(1) != mine)
    return "v has shape " + ado::detail::shape_of(v) + ", but this rank has " +
           std::to_string(mine) + " rows of each set";
  if (sets != 0 && length > INT_MAX / sets)
    return "v has " + std::to_string(sets) + " sets of " + std::to_string(length) +
           " vectors on all ranks; MPI counts their means in int";
  ado::detail::check_extent("average_mv", "a", a, 0, "v", v, mine);
  ado::detail::check_extent("average_mv", "a", a, 1, "v", v, length);
  ado::detail::check_extent("average_mv", "y", y, 0, "v", v, mine);
  ado::detail::check_extent("average_mv", "y", y, 1, "v", v, sets);
  return "";
}

/// Whether vectors of the whole v are contiguous, as far as this rank knows. Few rows may look so
/// where the whole does not.
template <class V>
bool has_contiguous_vectors(const V& v, std::size_t length) {
  if (v.extent(0) == 0 || v.extent(1) == 0) return true;
  if constexpr (std::is_same_v<typename V::array_layout, Kokkos::LayoutLeft>)
    return v.extent(2) <= 1 || v.extent(0) * length == 1;
  return ado::detail::has_contiguous_vectors(v);
}

/// Puts the means of rank after rank, of its rows of all sets, where the whole has them, set by
/// set.
template <class Exec, class T>
void arrange_means(const Exec& exec, const Blocks& rows, std::size_t sets, const T* gathered,
                   T* means) {
  const OnDevice<Exec, T**> whole(means, sets, rows.total());
  for (int rank = 0; rank < rows.parts(); ++rank) {
    const std::size_t first = rows.first(rank), count = rows.count(rank);
    if (count == 0) continue;
    Kokkos::deep_copy(exec, Kokkos::subview(whole, Kokkos::ALL, std::pair(first, first + count)),
                      OnDevice<Exec, const T**>(gathered + sets * first, sets, count));
  }
}

} // namespace detail

/// A matrix times the mean vector of each set, where each rank has some rows of the matrix and the
/// vectors of the same numbers of each set: for sets that are fewer than the ranks. y(i, n) = sum
/// over j of a(i, j) * mean(n, j), where mean(n, j) = sum over m of v(n, j, m) / M. Collective over
/// comm.
///
/// \param exec       instance of an execution space that can access v, a and y
/// \param comm       the ranks
/// \param v          this rank's vectors of each set: shape (N, rows.count(rank), M), any layout
///                   and strides
/// \param a          this rank's rows of the L x L matrix: shape (rows.count(rank), L), LayoutRight
///                   or LayoutLeft, any leading dimension
/// \param rows       how L is cut among the ranks
/// \param y          this rank's rows of the result: shape (rows.count(rank), N), LayoutRight or
///                   LayoutLeft, any leading dimension; is overwritten
/// \param workspace  temporary memory, average_mv_workspace_bytes(); a smaller one is enlarged
///                   first
/// \throws InvalidArgument     on all ranks alike, where on any of them shapes, strides or blocks
///                             do not fit or memory cannot be had, or where ranks differ in blocks,
///                             sizes or types; before anything is computed
/// \throws CommunicationError  where MPI fails; y is undefined then
///
/// Types: all elements are float, or all are double.
///
/// Shapes: any extents and any blocks, empty ones included. N L must fit an int. Where M = 0, every
/// element of y is NaN.
///
/// Asynchrony: y is asynchronous on exec. GPUs that reach each other's memory wait for each other
/// without the host, where the means are few; else it waits for exec before it sends.
///
/// Cost: O((N L M + L^2 N) / ranks); reads v and a once. Each rank sends its N means of each of its
/// rows to all.
///
/// Accuracy: sums are cut as those of the whole, and each is added on one rank. So y has the bits
/// of ado::average_mv of the whole, whatever the number of ranks. On a GPU vectors have to begin on
/// boundaries of 16 bytes for that, and rows of a where those of the whole do; and ado::average_mv
/// has a kernel of its own for many sets of 64 short vectors at most, whose bits are others.
///
/// Example, one set on all ranks:
///
///     ado::distributed::Blocks rows(L, comm.size());
///     const std::size_t mine = rows.count(comm.rank());
///     Kokkos::View<float***, Kokkos::LayoutRight> v("v", 1, mine, M);
///     Kokkos::View<float**, Kokkos::LayoutRight> a("a", mine, L), y("y", mine, 1);
///     ado::distributed::average_mv(Kokkos::DefaultExecutionSpace(), comm, v, a, rows, y);
template <class Exec, class V, class A, class Y>
void average_mv(const Exec& exec, const Comm& comm, const V& v, const A& a, const Blocks& rows,
                const Y& y, Workspace<Exec>& workspace) {
  static_assert(Kokkos::is_view_v<V>, "ado::distributed::average_mv: v is no Kokkos::View");
  static_assert(Kokkos::is_view_v<A>, "ado::distributed::average_mv: a is no Kokkos::View");
  static_assert(Kokkos::is_view_v<Y>, "ado::distributed::average_mv: y is no Kokkos::View");
  using T = typename Y::non_const_value_type;
  static_assert(ado::detail::check_view<Exec, V, 3>());
  static_assert(ado::detail::check_view<Exec, A, 2>());
  static_assert(ado::detail::check_output<Exec, Y, 2>());
  static_assert(ado::detail::check_real<T>());
  static_assert(std::is_same_v<typename V::non_const_value_type, T> &&
                    std::is_same_v<typename A::non_const_value_type, T>,
                "ado::distributed::average_mv: v, a and y must have the same element type");

  const int me = comm.rank();
  const std::size_t sets = v.extent(0), length = rows.total();
  ado::detail::VectorsRef<T> vectors{};
  ado::detail::Product<T> product{};
  std::optional<detail::AverageMvMemory> place;
  std::optional<detail::HostMemory<Exec, T>> host;
  const std::array terms{
      detail::Term{"the number of sets", sets}, detail::Term{"the number of rows", length},
      detail::Term{"the elements of a vector", v.extent(2)},
      detail::Term{"the bytes of an element", sizeof(T)},
      detail::Term{"where blocks of rows begin (a fingerprint)", detail::number_of(rows)}};
  bool by_columns = false;
  const auto messages =
      detail::agree_and_tell(comm, "average_mv", terms, [&](detail::Message& mine) {
        const std::string problem = detail::average_mv_problem(comm, v, a, y, rows);
        if (!problem.empty()) return problem;
        vectors = ado::detail::vectors_ref("average_mv", v);
        vectors.all = sets * length;
        const auto matrix = ado::detail::matrix_ref("average_mv", "a", a);
        const auto out = ado::detail::matrix_ref("average_mv", "y", y);
        by_columns = matrix.by_columns;
        place.emplace(sets, length, matrix.rows, sizeof(T), by_columns);
        workspace.reserve(place->end);
        host.emplace(comm, sets * length);
        product = ado::detail::product_of(matrix, out, sets);
        mine = {detail::has_contiguous_vectors(v, length) ? 1u : 0u, detail::device_of(exec)};
        return problem;
      });
  const auto are_contiguous = detail::words_of(messages, 0);
  const bool contiguous = std::count(are_contiguous.begin(), are_contiguous.end(), 0u) == 0;

  Kokkos::Profiling::ScopedRegion region("ado::distributed::average_mv");
  const auto at = [&](std::size_t bytes) {
    return reinterpret_cast<T*>(workspace.template as<std::byte>() + bytes);
  };
  T *const gathered = at(place->gathered), *const means = sets > 1 ? at(place->means) : gathered;
  T* const own = gathered + sets * rows.first(me);
  if (contiguous)
    ado::detail::average_tuned(exec, vectors, own, product.rows, workspace.template as<T>());
  else
    ado::detail::average_any_strides(exec, v, own, product.rows, 1);
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < comm.size(); ++rank)
    counts.push_back(sets * rows.count(rank));
  detail::gather(exec, comm, detail::words_of(messages, 1), *host, gathered, 0, Blocks(counts));
  if (sets > 1) detail::arrange_means(exec, rows, sets, gathered, means);
  product.mean = means;
  product.split_sums = reinterpret_cast<double*>(at(place->split_sums));
  if (by_columns && product.rows != 0) ado::detail::turn_a(exec, product, at(place->copy_of_a));
  ado::detail::product_tuned(exec, product);
}

/// The same with a workspace of its own: allocates it, and fences exec before freeing it.
template <class Exec, class V, class A, class Y>
void average_mv(const Exec& exec, const Comm& comm, const V& v, const A& a, const Blocks& rows,
                const Y& y) {
  Workspace<Exec> workspace;
  ado::distributed::average_mv(exec, comm, v, a, rows, y, workspace);
  exec.fence("ado::distributed::average_mv: before its workspace is freed");
}

} // namespace ado::distributed
