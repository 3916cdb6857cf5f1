// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::distributed::transpose on shapes, blocks and layouts drawn at random, and calls that must be refused.
#include "ranks.hpp"
#include <ado/distributed/transpose.hpp>

#include <Kokkos_Complex.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace ado::distributed;
using Exec = Kokkos::DefaultExecutionSpace;

/// Element (i, j) of the whole matrix: no two places of a small matrix have the same.
template <class T>
KOKKOS_FUNCTION T element(std::size_t i, std::size_t j) {
  std::uint64_t hash = (i * 0x9e3779b97f4a7c15u) ^ (j * 0xc2b2ae3d27d4eb4fu);
  hash ^= hash >> 29;
  if constexpr (std::is_same_v<T, Kokkos::complex<double>>)
    return {double(hash >> 12), double(i) - double(j)};
  else
    return static_cast<T>(hash >> 11);
}

/// A matrix with `gap` elements of other use behind each row or column, and its mirror on the host.
template <class T, class Layout>
struct Matrix {
  Kokkos::View<T**, Layout, Exec> all;
  typename Kokkos::View<T**, Layout, Exec>::host_mirror_type host;
  std::size_t rows, columns;

  Matrix(std::size_t r, std::size_t c, std::size_t gap)
      : all("matrix", r + (by_rows ? 0 : gap), c + (by_rows ? gap : 0)),
        host(Kokkos::create_mirror(all)), // of the part, Kokkos 4.7 gets an empty one wrong
        rows(r),
        columns(c) {}
  auto view() const {
    using Range = std::pair<std::size_t, std::size_t>;
    return Kokkos::subview(all, Range(0, rows), Range(0, columns));
  }

private:
  static constexpr bool by_rows = std::is_same_v<Layout, Kokkos::LayoutRight>;
};

/// So that there are many of them; where GPUs send no pieces, as ever.
template <class A, class B>
void in_small_pieces(const Comm& comm, const A& a, const Blocks& rows, const B& b,
                     const Blocks& columns, [[maybe_unused]] std::size_t most_bytes) {
  if constexpr (ado::detail::runs_on_host<Exec>) {
    using T = typename B::non_const_value_type;
    const ado::Workspace<Exec> workspace(
        detail::pieces_workspace_bytes<Exec>(rows, columns, comm.rank(), sizeof(T), most_bytes));
    detail::run_pieces(Exec(), comm, a, rows, b, columns, workspace.template as<T>(), most_bytes);
  } else
    transpose(Exec(), comm, a, rows, b, columns);
}

template <class T, class LayoutA, class LayoutB>
void one_shape(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  const std::size_t most = 300, rows = test::any_extent(random, most),
                    columns = test::any_extent(random, most);
  const Blocks cut_rows = test::any_blocks(random, rows, comm.size()),
               cut_columns = test::any_blocks(random, columns, comm.size());
  const std::size_t gap_a = random() % 5, gap_b = random() % 5;
  const std::size_t mine = cut_rows.count(comm.rank()), width = cut_columns.count(comm.rank());
  const Matrix<T, LayoutA> a(mine, columns, gap_a);
  const Matrix<T, LayoutB> b(width, rows, gap_b);
  for (std::size_t i = 0; i < mine; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      a.host(i, j) = element<T>(cut_rows.first(comm.rank()) + i, j);
  Kokkos::deep_copy(a.all, a.host);
  if (random() % 2 == 0)
    transpose(Exec(), comm, a.view(), cut_rows, b.view(), cut_columns);
  else
    in_small_pieces(comm, a.view(), cut_rows, b.view(), cut_columns, 1 + random() % 3000);
  Kokkos::deep_copy(b.host, b.all);
  std::size_t wrong = 0;
  for (std::size_t j = 0; j < width; ++j)
    for (std::size_t i = 0; i < rows; ++i)
      wrong += b.host(j, i) == element<T>(i, cut_columns.first(comm.rank()) + j) ? 0 : 1;
  failures.expect(wrong == 0, std::to_string(rows) + " x " + std::to_string(columns) + ", " +
                                  std::to_string(sizeof(T)) + " bytes: " + std::to_string(wrong) +
                                  " wrong elements");
}

template <class T>
void shapes(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  for (int round = 0; round < 5; ++round) {
    one_shape<T, Right, Right>(comm, failures, random);
    one_shape<T, Right, Left>(comm, failures, random);
    one_shape<T, Left, Right>(comm, failures, random);
    one_shape<T, Left, Left>(comm, failures, random);
  }
}

void refusals(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  const int last = comm.size() - 1;
  const bool odd = comm.rank() == last;
  const std::string odd_rank = "rank " + std::to_string(last);
  const Blocks rows(10, comm.size()), columns(7, comm.size());
  const auto a = Matrix<double, Kokkos::LayoutRight>(rows.count(comm.rank()), 7, 0).view();
  const auto b = Matrix<double, Kokkos::LayoutRight>(columns.count(comm.rank()), 10, 0).view();
  // One rank's shape does not fit: all ranks throw the same, and can go on.
  const auto longer = Matrix<double, Kokkos::LayoutRight>(rows.count(comm.rank()) + 1, 7, 0).view();
  failures.expect_refused([&] { transpose(Exec(), comm, odd ? longer : a, rows, b, columns); },
                          {odd_rank, "a has shape (", "it must be ("});
  failures.expect_refused(
      [&] { transpose(Exec(), comm, a, Blocks(10, comm.size() + 1), b, columns); },
      {"rank 0: rows has", "blocks for"});
  failures.expect_refused([&] { transpose(Exec(), comm, a, rows, a, Blocks(7, comm.size())); },
                          {"rank 0: b is the memory"});
  if (comm.size() > 1) {
    // 10 rows, cut otherwise by one rank, whose own block is the same.
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < comm.size(); ++rank)
      counts.push_back(rows.count(rank));
    const int from = last == 1 ? 0 : last - 1;
    if (last > 1) {
      --counts[from];
      ++counts[0];
      const Blocks other(counts);
      failures.expect_refused([&] { transpose(Exec(), comm, a, odd ? other : rows, b, columns); },
                              {odd_rank + " has", "where blocks of rows begin"});
    }
    const auto small = Matrix<float, Kokkos::LayoutRight>(rows.count(comm.rank()), 7, 0).view();
    const auto small_b =
        Matrix<float, Kokkos::LayoutRight>(columns.count(comm.rank()), 10, 0).view();
    failures.expect_refused(
        [&] {
          if (odd)
            transpose(Exec(), comm, small, rows, small_b, columns);
          else
            transpose(Exec(), comm, a, rows, b, columns);
        },
        {odd_rank + " has 4 for the bytes of an element, rank 0 has 8"});
  }
  one_shape<double, Kokkos::LayoutRight, Kokkos::LayoutRight>(comm, failures, random);
}

} // namespace

int main(int argc, char** argv) {
  return test::main_of(argc, argv, [](const Comm& comm, test::Failures& failures) {
    std::mt19937_64 random(20261124);
    shapes<std::int8_t>(comm, failures, random);
    shapes<std::int16_t>(comm, failures, random);
    shapes<float>(comm, failures, random);
    shapes<double>(comm, failures, random);
    shapes<Kokkos::complex<double>>(comm, failures, random);
    refusals(comm, failures, random);
  });
}
