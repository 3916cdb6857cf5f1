// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::distributed::average_mv gives the bits of ado::average_mv on the whole, for random data, any
// blocks of rows and any number of ranks; and calls that must be refused.
#include "ranks.hpp"
#include <ado/distributed/average_mv.hpp>

#include <cstddef>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ado::distributed;
using Exec = Kokkos::DefaultExecutionSpace;
using Range = std::pair<std::size_t, std::size_t>;
using Right = Kokkos::LayoutRight;
using Left = Kokkos::LayoutLeft;

template <class View>
void fill(const View& view, std::mt19937_64& random) {
  const auto host = Kokkos::create_mirror_view(view);
  std::uniform_real_distribution<double> numbers(-1, 1);
  for (std::size_t at = 0; at < host.span(); ++at)
    host.data()[at] = static_cast<typename View::non_const_value_type>(numbers(random));
  Kokkos::deep_copy(view, host);
}

struct Shape {
  std::size_t sets, length, count;
};

/// Counts shapes for which ado::average_mv has a kernel of its own, which gives other bits.
int left_out = 0;

/// All ranks draw the whole, and each passes its rows, in its own memory and with gaps.
template <class T, class LayoutV, class LayoutA, class LayoutY>
void one_shape(const Comm& comm, test::Failures& failures, std::mt19937_64& random, const Shape& s,
               const Blocks& rows) {
  const std::size_t first = rows.first(comm.rank()), mine = rows.count(comm.rank());
  const bool on_host = ado::detail::runs_on_host<Exec>;
  // On a GPU rows of a must have the same 16-byte alignment as in the whole.
  const std::size_t gap = on_host ? random() % 5 : 4 * (random() % 2);
  if (!on_host && ado::detail::fused_plan::fits<T>(s.sets, s.length, s.count)) {
    ++left_out;
    return;
  }
  Kokkos::View<T***, LayoutV, Exec> v("v", s.sets, s.length, s.count);
  Kokkos::View<T**, LayoutA, Exec> a("a", s.length, s.length);
  Kokkos::View<T**, LayoutY, Exec> wanted("wanted", s.length, s.sets);
  fill(v, random);
  fill(a, random);
  ado::average_mv(Exec(), v, a, wanted);

  Kokkos::View<T***, LayoutV, Exec> own("own", s.sets, mine, s.count);
  Kokkos::View<T**, LayoutA, Exec> wide("wide", mine + gap, s.length + gap);
  Kokkos::View<T**, LayoutY, Exec> y("y", mine + gap, s.sets + gap);
  const auto own_a = Kokkos::subview(wide, Range(0, mine), Range(0, s.length));
  const auto own_y = Kokkos::subview(y, Range(0, mine), Range(0, s.sets));
  if (mine != 0) {
    const Range part(first, first + mine);
    Kokkos::deep_copy(own, Kokkos::subview(v, Kokkos::ALL, part, Kokkos::ALL));
    Kokkos::deep_copy(own_a, Kokkos::subview(a, part, Kokkos::ALL));
  }
  average_mv(Exec(), comm, own, own_a, rows, own_y);
  const auto got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  const auto right = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), wanted);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.extent(0); ++i)
    for (std::size_t n = 0; n < got.extent(1); ++n)
      wrong += got(i, n) == (i < mine && n < s.sets ? right(first + i, n) : T(0)) ? 0 : 1;
  failures.expect(wrong == 0, std::to_string(s.sets) + " sets of " + std::to_string(s.length) +
                                  " x " + std::to_string(s.count) + ", " +
                                  std::to_string(sizeof(T)) + " bytes, " + std::to_string(mine) +
                                  " rows from " + std::to_string(first) + ": " +
                                  std::to_string(wrong) + " wrong elements");
}

template <class T, class LayoutV, class LayoutA, class LayoutY>
void one_shape(const Comm& comm, test::Failures& failures, std::mt19937_64& random,
               const Shape& s) {
  one_shape<T, LayoutV, LayoutA, LayoutY>(comm, failures, random, s,
                                          test::any_blocks(random, s.length, comm.size()));
}

template <class T>
void shapes(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  for (int round = 0; round < 8; ++round) {
    const Shape s{test::any_extent(random, 5), test::any_extent(random, 120),
                  1 + test::any_extent(random, 300)};
    one_shape<T, Right, Right, Right>(comm, failures, random, s);
    one_shape<T, Right, Left, Right>(comm, failures, random, s);
    one_shape<T, Right, Right, Left>(comm, failures, random, s);
    one_shape<T, Left, Left, Left>(comm, failures, random, s);
  }
  for (const std::size_t length : {1, 3, 7, 11}) // few long vectors are cut into pieces
    one_shape<T, Right, Right, Right>(comm, failures, random, {1, length, 200003});
  // Long rows: of a whole that is summed four rows at once, and of one with too many rows to cut
  // them.
  one_shape<T, Right, Right, Right>(comm, failures, random, {1, 7, 20480 / sizeof(T) + 3},
                                    Blocks(7, comm.size()));
  if (sizeof(T) == sizeof(float))
    one_shape<T, Right, Right, Right>(comm, failures, random, {2, 260, 131072 / sizeof(T)});
  for (const std::size_t sets : {1, 2, 3}) // the last rows are summed in another way
    one_shape<T, Right, Right, Right>(comm, failures, random, {sets, 41, 1237});
  one_shape<T, Right, Right, Right>(comm, failures, random, {1, 1, 1000});
  // Those last rows on two ranks, one of which has no other row.
  const std::size_t parts = comm.size(), length = 4 * parts + 3;
  std::vector<std::size_t> counts(parts);
  counts.front() = length;
  --counts.front();
  ++counts.back();
  for (const std::size_t sets : {1, 3})
    one_shape<T, Right, Right, Right>(comm, failures, random, {sets, length, 131}, Blocks(counts));
  // A single row looks contiguous, but rows of a LayoutLeft v are not.
  one_shape<T, Left, Right, Right>(comm, failures, random, {1, parts, 1000},
                                   Blocks(parts, comm.size()));
}

void refusals(const Comm& comm, test::Failures& failures) {
  const int last = comm.size() - 1;
  const bool odd = comm.rank() == last;
  const std::string odd_rank = "rank " + std::to_string(last);
  const Blocks rows(10, comm.size());
  const std::size_t mine = rows.count(comm.rank());
  const Kokkos::View<double***, Right, Exec> v("v", 2, mine, 5), longer("longer", 2, mine, 6);
  const Kokkos::View<double**, Right, Exec> a("a", mine, 10), wider("wider", mine, 11),
      y("y", mine, 2);
  failures.expect_refused([&] { average_mv(Exec(), comm, v, odd ? wider : a, rows, y); },
                          {odd_rank, "a has shape (", "its extent 1 must be 10"});
  failures.expect_refused([&] { average_mv(Exec(), comm, v, a, Blocks(10, comm.size() + 1), y); },
                          {"rank 0: rows has", "blocks for"});
  if (comm.size() > 1) {
    failures.expect_refused([&] { average_mv(Exec(), comm, odd ? longer : v, a, rows, y); },
                            {odd_rank + " has 6 for the elements of a vector"});
    const Kokkos::View<float***, Right, Exec> narrow("narrow", 2, mine, 5);
    const Kokkos::View<float**, Right, Exec> of_a("of_a", mine, 10), of_y("of_y", mine, 2);
    failures.expect_refused(
        [&] {
          if (odd)
            average_mv(Exec(), comm, narrow, of_a, rows, of_y);
          else
            average_mv(Exec(), comm, v, a, rows, y);
        },
        {odd_rank + " has 4 for the bytes of an element, rank 0 has 8"});
  }
  average_mv(Exec(), comm, v, a, rows, y); // all can go on
}

} // namespace

int main(int argc, char** argv) {
  return test::main_of(argc, argv, [](const Comm& comm, test::Failures& failures) {
    std::mt19937_64 random(25112026);
    shapes<float>(comm, failures, random);
    shapes<double>(comm, failures, random);
    refusals(comm, failures);
    if (comm.rank() == 0 && left_out != 0)
      std::printf("%d shapes left out: ado::average_mv has a kernel of its own for them\n",
                  left_out);
  });
}
