// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every public function from several host threads at once, each with its own execution space
// instance and workspace. Other tests check what a function computes; here its bits must stay the
// same.
#include "arrays.hpp"
#include <ado/ado.hpp>

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using namespace arrays;
using Kokkos::LayoutRight;

/// Inputs and outputs of all functions, made from a seed.
struct Work {
  static constexpr std::size_t sets = 35, length = 65, count = 257, rows = 1030, columns = 67;
  Sets<float> v;
  Matrix<float, LayoutRight> a{length, length}, y{length, sets}, mean{sets, length};
  Matrix<float, LayoutRight> b{rows, columns}, c{columns, rows};
  Kokkos::View<float, Memory> product{"product"};
  Kokkos::View<float*, Memory> sum{"sum", rows};

  explicit Work(std::size_t seed) : v(sets, length, count, seed) {
    a.fill_random(seed + 1'000'000);
    b.fill_random(seed + 2'000'000);
  }
  /// One call of each; asynchronous on `exec`.
  void run(const Exec& exec, ado::Workspace<Exec>& workspace) const {
    const auto first = Kokkos::subview(b.const_view(), 0, Kokkos::ALL);
    const auto left = Kokkos::subview(c.const_view(), 0, Kokkos::ALL);
    ado::average(exec, v.packed(), mean.view(), workspace);
    ado::average_mv(exec, v.packed(), a.const_view(), y.view(), workspace);
    ado::transpose(exec, b.const_view(), c.view());
    ado::yax(exec, left, b.const_view(), first, product, workspace);
    ado::vector_add(exec, left, Kokkos::subview(c.const_view(), 1, Kokkos::ALL), sum);
  }
  /// The bits of all outputs.
  std::vector<float> results() const {
    std::vector<float> all;
    for (const auto* matrix : {&y, &mean, &c}) {
      EXPECT_TRUE(matrix->written_and_no_more());
      const auto host = matrix->host();
      for (std::size_t i = 0; i < host.extent(0); ++i)
        for (std::size_t j = 0; j < host.extent(1); ++j)
          all.push_back(host(i, j));
    }
    const auto numbers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
    all.insert(all.end(), numbers.data(), numbers.data() + numbers.size());
    all.push_back(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), product)());
    return all;
  }
};

bool same_numbers(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_bits<float>);
}

TEST(ApiConcurrency, AllFunctionsAtOnceEachThreadOnItsInstance) {
  constexpr std::size_t count = 4, rounds = 40;
  std::vector<std::vector<float>> expected;
  std::vector<Work> work;
  for (std::size_t k = 0; k < count; ++k) {
    const Work alone(k * 10'000'000);
    ado::Workspace<Exec> workspace;
    alone.run(Exec(), workspace);
    Exec().fence("alone");
    expected.push_back(alone.results());
    work.emplace_back(k * 10'000'000);
  }
  const std::vector<Exec> spaces = instances(count);
  std::barrier together(count);
  std::vector<std::size_t> wrong(count, 0); // rounds
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      ado::Workspace<Exec> workspace; // grows, at the same time as the others
      for (std::size_t round = 0; round < rounds; ++round) {
        together.arrive_and_wait();
        work[k].run(spaces[k], workspace);
        spaces[k].fence("before the results are looked at");
        if (!same_numbers(work[k].results(), expected[k])) ++wrong[k];
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<std::size_t>(count, 0)) << "rounds that were wrong, by thread";
}

} // namespace
