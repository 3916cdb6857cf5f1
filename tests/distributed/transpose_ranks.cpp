// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::distributed::transpose on random shapes, blocks and layouts, and calls that must be refused.
#include "matrices.hpp"
#include "ranks.hpp"
#include <ado/distributed/transpose.hpp>

#include <Kokkos_Complex.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace ado::distributed;
using Exec = Kokkos::DefaultExecutionSpace;

using test::Matrix;

/// Many small pieces on hosts; GPUs have no pieces, so they call transpose as usual.
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
  const bool whole = random() % 2 == 0;
  const std::size_t most_bytes = 1 + random() % 3000;
  test::transposes<T, LayoutA, LayoutB>(
      comm, failures, whole ? "transpose" : "in small pieces", cut_rows, cut_columns, gap_a, gap_b,
      [&](const auto& a, const auto& b) {
        if (whole)
          transpose(Exec(), comm, a, cut_rows, b, cut_columns);
        else
          in_small_pieces(comm, a, cut_rows, b, cut_columns, most_bytes);
      });
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
    // 10 rows; one rank cuts them in another way, but its own block is the same.
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
