// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::distributed::yax gives the bits of ado::yax on the whole matrix, for random data and any
// number of ranks. On GPUs the hand-written twin gives the bits of its one-process twin.
#include "ranks.hpp"
#include <ado/distributed/transpose.hpp>
#include <ado/distributed/yax.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <native_cuda/yax/ranks/ranks.cuh>
#endif

#include <cstddef>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace ado::distributed;
using Exec = Kokkos::DefaultExecutionSpace;
using Range = std::pair<std::size_t, std::size_t>;

template <class View>
void fill(const View& view, std::mt19937_64& random) {
  const auto host = Kokkos::create_mirror_view(view);
  std::uniform_real_distribution<double> numbers(-1, 1);
  for (std::size_t at = 0; at < host.span(); ++at)
    host.data()[at] = static_cast<typename View::non_const_value_type>(numbers(random));
  Kokkos::deep_copy(view, host);
}

template <class T>
T number_in(const Kokkos::View<T, Exec>& result) {
  T number;
  Kokkos::deep_copy(number, result);
  return number;
}

#ifdef KOKKOS_ENABLE_CUDA
int by_hand_results = 0, by_hand_like_portable = 0;

/// For the hand-written twins.
template <class T, class A>
void by_hand(const Comm& comm, test::Failures& failures, const Kokkos::View<T*, Exec>& y,
             const A& a, const Kokkos::View<T*, Exec>& x, T portable) {
  const std::size_t rows = a.extent(0), columns = a.extent(1), lda = a.stride(0);
  const Exec exec;
  const auto stream = exec.cuda_stream();
  const Kokkos::View<T, Exec> result("result");
  const Kokkos::View<std::byte*, Exec> alone(
      "alone", ado::bench::native::yax_workspace_bytes<T>(rows, columns));
  ado::bench::native::yax_prepare(alone.data(), stream);
  ado::bench::native::yax(rows, columns, y.data(), a.data(), lda, x.data(), result.data(),
                          alone.data(), stream);
  const T wanted = number_in(result);

  const auto tiles = ado::bench::yax_cuda_tiles(rows, columns, sizeof(T));
  const Blocks blocks = detail::blocks_of_groups(rows, tiles.rows_per_tile, comm.size());
  const std::size_t first = blocks.first(comm.rank()), count = blocks.count(comm.rank());
  const Range part(first, first + count);
  const Kokkos::View<T**, Kokkos::LayoutRight, Exec> own("own", count, lda);
  const Kokkos::View<T*, Exec> weights("weights", count);
  if (count != 0) {
    Kokkos::deep_copy(Kokkos::subview(own, Kokkos::ALL, Range(0, columns)),
                      Kokkos::subview(a, part, Kokkos::ALL));
    Kokkos::deep_copy(weights, Kokkos::subview(y, part));
  }
  const Kokkos::View<T*, Exec> sums("sums",
                                    ado::bench::native::yax_of_ranks_numbers<T>(rows, columns));
  const ado::bench::native::YaxRows<T> mine{count,      columns, weights.data(),
                                            own.data(), lda,     x.data()};
  for (int again = 0; again < 3; ++again) { // both areas of a box, and the first one again
    Kokkos::deep_copy(exec, result, T(91));
    ado::bench::native::yax_of_ranks(comm, mine, blocks, result.data(), sums.data(), stream);
    exec.fence();
    const T number = number_in(result);
    failures.expect(number == wanted,
                    "by hand " + std::to_string(rows) + " x " + std::to_string(columns) + ", " +
                        std::to_string(sizeof(T)) + " bytes: " + std::to_string(number) +
                        " and not " + std::to_string(wanted));
    ++by_hand_results;
    by_hand_like_portable += number == portable ? 1 : 0;
  }
}

void refusals_by_hand(const Comm& comm, test::Failures& failures) {
  const int last = comm.size() - 1;
  const std::size_t height = 256, columns = 10; // of a tile with few columns
  const Blocks rows = detail::blocks_of_groups(height * comm.size(), height, comm.size());
  const Kokkos::View<double*, Exec> memory("memory", 20000);
  const Kokkos::View<double, Exec> result("result");
  const auto call = [&](std::size_t count, const Blocks& blocks) {
    Kokkos::deep_copy(result, 91.0);
    const double* const data = memory.data();
    ado::bench::native::yax_of_ranks(comm, {count, columns, data, data, columns, data}, blocks,
                                     result.data(), memory.data() + 10000, Exec().cuda_stream());
  };
  failures.expect_refused([&] { call(comm.rank() == last ? height + 1 : height, rows); },
                          {"rank " + std::to_string(last), "a has other rows than its block"});
  failures.expect(number_in(result) == 91, "a call by hand that is refused writes its result");
  if (comm.size() > 1)
    failures.expect_refused([&] { call(1, Blocks(comm.size(), comm.size())); },
                            {"does not begin with a tile"});
  call(height, rows);
  failures.expect(number_in(result) == 0, "a call by hand after refused ones");
}
#endif

/// All ranks draw the whole matrix, and each passes its rows.
template <class T>
void one_shape(const Comm& comm, test::Failures& failures, std::mt19937_64& random,
               std::size_t rows, std::size_t columns) {
  const std::size_t gap = 4 * (random() % 3); // rows keep their 16-byte alignment
  Kokkos::View<T**, Kokkos::LayoutRight, Exec> a("a", rows, columns + gap);
  Kokkos::View<T*, Exec> y("y", rows), x("x", columns);
  fill(a, random);
  fill(y, random);
  fill(x, random);
  const auto whole = Kokkos::subview(a, Kokkos::ALL, Range(0, columns));
  const T wanted = ado::yax(Exec(), y, whole, x);

  const Blocks blocks = yax_blocks<Exec>(rows, columns, sizeof(T), comm.size());
  failures.expect(blocks.total() == rows, "blocks of " + std::to_string(blocks.total()) + " rows");
  const std::size_t first = blocks.first(comm.rank()), count = blocks.count(comm.rank());
  // In their own memory, as a rank has them.
  Kokkos::View<T**, Kokkos::LayoutRight, Exec> own("own", count, columns + gap);
  Kokkos::View<T*, Exec> weights("weights", count);
  if (count != 0) {
    Kokkos::deep_copy(own, Kokkos::subview(a, Range(first, first + count), Kokkos::ALL));
    Kokkos::deep_copy(weights, Kokkos::subview(y, Range(first, first + count)));
  }
  Kokkos::View<T, Exec> result("result");
  yax(Exec(), comm, weights, Kokkos::subview(own, Kokkos::ALL, Range(0, columns)), x, blocks,
      result);
  const T number = number_in(result);
  failures.expect(number == wanted, std::to_string(rows) + " x " + std::to_string(columns) + ", " +
                                        std::to_string(sizeof(T)) +
                                        " bytes: " + std::to_string(number) + " and not " +
                                        std::to_string(wanted));
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) by_hand(comm, failures, y, whole, x, wanted);
#endif
}

template <class T>
void shapes(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  for (int round = 0; round < 30; ++round)
    one_shape<T>(comm, failures, random, test::any_extent(random, 3000),
                 test::any_extent(random, 600));
  for (const std::size_t rows : {1, 2, 3, 5}) // cut into pieces
    one_shape<T>(comm, failures, random, rows, 100003 + 16 * (random() % 10000));
  one_shape<T>(comm, failures, random, 20011, 3);
  one_shape<T>(comm, failures, random, 20011,
               701); // tiles of a rank's rows alone would have other heights
}

/// If one rank's x is not aligned to 16 bytes, all add as if none were.
void unaligned(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  const std::size_t rows = 3000, columns = 408;
  const Kokkos::View<float**, Kokkos::LayoutRight, Exec> a("a", rows, columns);
  const Kokkos::View<float*, Exec> y("y", rows), x("x", columns), longer("longer", columns + 1);
  for (const auto& view : {y, x})
    fill(view, random);
  fill(a, random);
  const auto odd = Kokkos::subview(longer, Range(1, columns + 1));
  Kokkos::deep_copy(odd, x);
  const float wanted = ado::yax(Exec(), y, a, odd);
  const Blocks blocks = yax_blocks<Exec>(rows, columns, sizeof(float), comm.size());
  const std::size_t first = blocks.first(comm.rank());
  const Range mine(first, first + blocks.count(comm.rank()));
  const Kokkos::View<float, Exec> result("result");
  yax(Exec(), comm, Kokkos::subview(y, mine), Kokkos::subview(a, mine, Kokkos::ALL),
      comm.rank() == comm.size() - 1 ? Kokkos::View<float*, Exec>(odd) : x, blocks, result);
  failures.expect(number_in(result) == wanted, "unaligned: " + std::to_string(number_in(result)) +
                                                   " and not " + std::to_string(wanted));
}

#ifdef KOKKOS_ENABLE_CUDA
/// Alternating calls on two instances, without waiting for results in between.
void in_turn(const Comm& comm, test::Failures& failures, std::mt19937_64& random) {
  const std::size_t rows = 5000, columns = 300;
  const int rounds = 40;
  const Blocks blocks = yax_blocks<Exec>(rows, columns, sizeof(double), comm.size());
  const std::size_t first = blocks.first(comm.rank());
  const Range mine(first, first + blocks.count(comm.rank()));
  const auto queues = Kokkos::Experimental::partition_space(Exec(), 1, 1);
  std::vector<ado::Workspace<Exec>> workspaces(queues.size());
  const Kokkos::View<double**, Kokkos::LayoutRight, Exec> a("a", rows, columns);
  const Kokkos::View<double*, Exec> y("y", rows);
  std::vector<Kokkos::View<double*, Exec>> x;
  std::vector<Kokkos::View<double, Exec>> results;
  std::vector<double> wanted;
  fill(a, random);
  fill(y, random);
  for (int round = 0; round < rounds; ++round) {
    x.emplace_back("x", columns);
    results.emplace_back("result");
    fill(x.back(), random);
    wanted.push_back(ado::yax(Exec(), y, a, x.back()));
  }
  for (int round = 0; round < rounds; ++round)
    yax(queues[round % 2], comm, Kokkos::subview(y, mine), Kokkos::subview(a, mine, Kokkos::ALL),
        x[round], blocks, results[round], workspaces[round % 2]);
  Kokkos::fence();
  for (int round = 0; round < rounds; ++round)
    failures.expect(number_in(results[round]) == wanted[round],
                    "in turn, round " + std::to_string(round));
}
#endif

void refusals(const Comm& comm, test::Failures& failures) {
  const int last = comm.size() - 1;
  const std::size_t columns = 40;
  const auto even = yax_blocks<Exec>(5000, columns, sizeof(double), comm.size());
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> a("a", even.count(comm.rank()), columns);
  Kokkos::View<double*, Exec> y("y", even.count(comm.rank())), x("x", columns),
      longer("longer", columns + 1);
  Kokkos::View<double, Exec> result("result");
  const auto refused = [&](const auto& call, const std::vector<std::string>& parts) {
    Kokkos::deep_copy(result, 91.0);
    failures.expect_refused(call, parts);
    failures.expect(number_in(result) == 91, "a call that is refused writes its result");
  };
  refused([&] { yax(Exec(), comm, y, a, comm.rank() == last ? longer : x, even, result); },
          {"rank " + std::to_string(last), "x has shape (41)"});
  if (comm.size() > 1) {
    const Blocks cut(columns, comm.size());
    Kokkos::View<double**, Kokkos::LayoutRight, Exec> turned("turned", cut.count(comm.rank()),
                                                             5000);
    refused(
        [&] {
          if (comm.rank() == last)
            yax(Exec(), comm, y, a, x, even, result);
          else
            transpose(Exec(), comm, a, even, turned, cut);
        },
        {"rank " + std::to_string(last) + " calls yax; all ranks must call the same functions"});
    std::vector<std::size_t> counts(comm.size());
    counts[0] = 4999;
    counts[last] = 1; // row 4999 does not begin a tile
    const Blocks odd(counts);
    Kokkos::View<double**, Kokkos::LayoutRight, Exec> b("b", odd.count(comm.rank()), columns);
    Kokkos::View<double*, Exec> z("z", odd.count(comm.rank()));
    refused([&] { yax(Exec(), comm, z, b, x, odd, result); },
            {"begins with row 4999", "yax_blocks"});
  }
  yax(Exec(), comm, y, a, x, even, result);
  failures.expect(number_in(result) == 0, "a call after refused ones");
}

} // namespace

int main(int argc, char** argv) {
  return test::main_of(argc, argv, [](const Comm& comm, test::Failures& failures) {
    std::mt19937_64 random(24112026);
    shapes<float>(comm, failures, random);
    shapes<double>(comm, failures, random);
    unaligned(comm, failures, random);
    refusals(comm, failures);
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      in_turn(comm, failures, random);
      const Comm apart(comm.mpi()); // its ranks reach each other only by messages
      apart.kept<detail::PeerBoxes>([] { return std::make_shared<detail::PeerBoxes>(); });
      shapes<float>(apart, failures, random);
      shapes<double>(apart, failures, random);
      in_turn(apart, failures, random);
      refusals_by_hand(comm, failures);
      if (comm.rank() == 0)
        std::printf("by hand: %d of %d results have the bits of the portable one\n",
                    by_hand_like_portable, by_hand_results);
    }
#endif
  });
}
