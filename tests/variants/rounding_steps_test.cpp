// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of roundings that each variant states. It sets the only tolerance, so it must not be
// too small, which random data would not show, nor larger than needed.
#include "variant_test.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace ado::bench {
namespace {

using RoundingSteps = VariantTest;
using Draws = std::mt19937_64;

/// The longest chain of additions in any reasonable order.
double terms_of(const Algorithm& algorithm, const Shape& s) {
  if (algorithm.name == "average") return static_cast<double>(s[2]);
  if (algorithm.name == "average_mv") return static_cast<double>(s[1] + s[2]);
  return static_cast<double>(s[0] + s[1]); // yax
}

TEST_P(RoundingSteps, NoMoreThanAPlainLoopHas) {
  std::vector<Shape> shapes = algorithm().edge_shapes();
  shapes.push_back(algorithm().classic);
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(text_of(shape, {}));
    const double steps = variant().rounding_steps(shape, type(), {});
    if (algorithm().name == "transpose") {
      EXPECT_LE(steps, order_is_ours(variant()) ? 0 : 1) << "a library may multiply by one";
    } else if (algorithm().name == "vector_add") {
      EXPECT_EQ(steps, 1);
    } else if (algorithm().name == "pipeline") {
      // A product, two roundings per step, and sixteen values added, as a tree or in turn.
      const double steps_of_f = 2 * static_cast<double>(shape[2]);
      EXPECT_GE(steps, 1 + steps_of_f + 4);
      EXPECT_LE(steps, 1 + steps_of_f + 16);
    } else if (variant().model == Model::serial) {
      EXPECT_GE(steps, 1);
      EXPECT_LE(steps, 2) << "it sums in more precision than the result has";
    } else {
      // A mean is divided, each product is rounded, and partial sums need a tree of some levels.
      constexpr double trees_and_products = 48;
      EXPECT_GE(steps, 1);
      EXPECT_LE(steps, terms_of(algorithm(), shape) + trees_and_products);
    }
  }
}

ADO_FOR_VARIANTS(RoundingSteps);

/// Rows of `ones` ones, then numbers of u. If ones are added first, 1 + u rounds to 1 each time and
/// every u is lost: the worst case of Higham's bound.
class WorstData : public VariantTest {
protected:
  bool is_yax() const { return algorithm().name == "yax"; }
  /// The first has a chain longer than the trees that add its parts; shorter rows, and several at
  /// once, are summed in other ways.
  std::vector<Shape> shapes() const {
    if (is_yax()) return {{1, 16000, 1}, {1, 1000, 1}, {4, 1000, 1}};
    return {{1, 1, 16000}, {1, 1, 1000}, {1, 4, 1000}};
  }
  void fill(HostData& data, std::size_t ones) const {
    with_real_type(type(), [&](auto zero) {
      using T = decltype(zero);
      for (std::size_t k = 0; k < data.input_count(); ++k) {
        const ArraySpec& spec = data.specs()[k];
        T* values = data.input(k).as<T>();
        std::fill_n(values, element_count(spec), T(1));
        if (spec.name != (is_yax() ? "a" : "v")) continue;
        const std::size_t terms = spec.extent[static_cast<std::size_t>(spec.rank) - 1];
        for (std::size_t j = 0; j < element_count(spec); ++j)
          if (j % terms >= ones) values[j] = static_cast<T>(info(type()).unit_roundoff);
      }
    });
  }
};

TEST_P(WorstData, ComesCloseToTheBoundAndNotBeyond) {
  double largest_share = 0;
  for (const Shape& shape : shapes())
    for (const Placement& placement : {Placement{}, Placement{.offset = 1}})
      for (std::size_t ones = 1; ones <= 1024; ones *= 2) { // one per possible partial sum
        HostData data(problem(shape), placement);
        fill(data, ones);
        Workbench bench(device(), data, 1);
        bench.reserve_workspace(variant());
        bench.prepare(variant(), 0, 0);
        bench.run(variant(), 0);
        const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
        EXPECT_TRUE(check.ok) << ones << " ones: " << check.first_wrong;
        largest_share = std::max(largest_share, check.worst_bound_share);
      }
  EXPECT_GT(largest_share, 0.5) << "the stated number of roundings could be halved, or the "
                                   "algorithm is for rounds_as_it_sums() to leave out";
}

bool rounds_as_it_sums(const VariantCase& c) {
  return c.variant->algorithm != "transpose" && c.variant->algorithm != "vector_add" &&
         c.variant->algorithm != "pipeline" && // its products with 1 do not round
         c.variant->model != Model::serial && order_is_ours(*c.variant) &&
         c.variant->name != "plain"; // Kokkos adds in any order
}
ADO_FOR_VARIANTS(WorstData, rounds_as_it_sums);

/// Each term in turn is near 1 and all others are tiny. If every operation rounds upwards, each
/// addition on that term's path adds one unit in the last place, and each product up to one: this
/// counts the steps.
class CountedSteps : public VariantTest {
protected:
  std::vector<Shape> shapes() {
    if (algorithm().name == "yax")
      return {{1, 1, 1},    {1, 2, 1},      {2, 1, 1},    {3, 5, 1},    {5, 67, 1},
              {9, 9, 1},    {67, 3, 1},     {300, 2, 1},  {4, 1001, 1}, {1, 5003, 1},
              {1201, 1, 1}, {20011, 17, 1}, {2, 40009, 1}};
    std::vector<Shape> all{{1, 1, 1},    {1, 1, 2},    {1, 2, 1},   {1, 1, 5},    {1, 3, 8},
                           {1, 1, 67},   {1, 5, 64},   {2, 67, 4},  {1, 300, 2},  {1, 4, 1024},
                           {1, 1, 5003}, {1, 1201, 1}, {40, 5, 16}, {1, 2, 40009}};
    if (!device().on_host) all.push_back({512, 8, 1024}); // so many rows that few lanes share one
    return all;
  }
  /// Steps on the path of the term at `place` in the summed input.
  double counted(const Shape& shape, std::size_t place, double steps) {
    HostData data(problem(shape));
    with_real_type(type(), [&](auto zero) {
      using T = decltype(zero);
      // Their products are rounded up by almost a unit in the last place.
      const T unit = static_cast<T>(2 * info(type()).unit_roundoff),
              near_one = 1 + std::sqrt(unit) * T(1.0001);
      for (std::size_t k = 0; k < data.input_count(); ++k)
        std::fill_n(data.input(k).as<T>(), element_count(data.specs()[k]),
                    k == summed() ? T(1e-30) : near_one);
      data.input(summed()).as<T>()[place] = near_one;
    });
    const Check check = check_of(data, 2 * steps, FE_UPWARD);
    EXPECT_TRUE(check.ok) << "term " << place << ": " << check.first_wrong;
    return check.worst_bound_share * steps;
  }

  /// The same with rounding to nearest, which a GPU always uses: most steps of a term in trial
  /// data.
  double seen_by_trial(const Shape& shape, Draws& draws, double steps) {
    HostData data(problem(shape), Placement{.offset = draws() % 2}); // a bound holds at any offset
    with_real_type(type(), [&](auto zero) {
      for (std::size_t k = 0; k < data.input_count(); ++k) {
        auto* const values = data.input(k).template as<decltype(zero)>();
        const ArraySpec& spec = data.specs()[k];
        const std::size_t terms = spec.extent[std::size_t(spec.rank) - 1];
        if (k == summed())
          fill_with_half_units(values, element_count(spec) / terms, terms, draws);
        else
          std::fill_n(values, element_count(spec), decltype(zero)(1));
      }
    });
    const Check check = check_of(data, steps, FE_TONEAREST);
    EXPECT_TRUE(check.ok) << check.first_wrong;
    return check.worst_bound_share * steps;
  }

  /// What such data does not show: a division by a power of two, its divisor as a float, and a
  /// product that is added without rounding.
  static constexpr double slack = 3.1;
  /// Its order depends on the number of threads or on which comes first, is a tensor core's own, or
  /// is that of Kokkos' sums over lanes or, on a GPU, over a team, which promise none. So the
  /// longest path is not always taken.
  bool order_varies() {
    const std::string_view name = variant().name;
    if (name.starts_with("row_per_thread") || name.ends_with("_atomic") ||
        name.ends_with("_shared"))
      return true;
    const bool portable = variant().model == Model::kokkos;
    if (name == "plain") return true;
    if (device().on_host) return false;
    if (algorithm().name == "average_mv")
      return name == (portable ? "tuned" : "team") && type() == Type::f64;
    constexpr std::array by_kokkos{"one_team", "register_limited", "row_per_vector",
                                   "scratch_limited"};
    return portable && std::ranges::find(by_kokkos, name) != by_kokkos.end();
  }

  /// The summed input: v or a.
  std::size_t summed() const { return algorithm().name == "yax" ? 1 : 0; }

private:
  Check check_of(const HostData& data, double tolerance, int rounding) {
    Workbench bench(device(), data, 1);
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    round_all(rounding);
    bench.run(variant(), 0);
    round_all(FE_TONEAREST);
    return bench.verify(0, tolerance);
  }
  static void round_all(int mode) {
#pragma omp parallel
    std::fesetround(mode);
  }
  /// One term is 1, and the others are 0 or a little more than half a unit in its last place, so
  /// adding an odd number of them rounds up. One row is full of them; every few rows another has a
  /// single one.
  template <class T>
  void fill_with_half_units(T* values, std::size_t rows, std::size_t terms, Draws& draws) {
    const T half_unit = static_cast<T>(info(type()).unit_roundoff) * (1 + T(0x1p-16));
    const std::uint64_t zeros = std::array{0, 16, 128, 512}[draws() % 4]; // of 1024
    const auto drawn = [&] { return draws() % 1024 < zeros ? T(0) : half_unit; };
    std::fill_n(values, rows * terms, T(0));
    for (std::size_t row = 0, apart = std::size_t{1} << draws() % 8; row < rows; row += apart)
      values[row * terms + draws() % terms] = drawn();
    T* const full = values + (draws() % 2 == 0 ? 0 : draws() % rows) * terms;
    std::generate_n(full, terms, drawn);
    full[draws() % std::min<std::size_t>(terms, draws() % 2 == 0 ? 64 : terms)] = 1;
  }
};

TEST_P(CountedSteps, AreWhatIsStated) {
  if (!device().on_host) GTEST_SKIP() << "a GPU always rounds to the nearest";
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(text_of(shape, {}));
    const auto specs = algorithm().arrays(shape);
    const std::size_t terms = element_count(specs[summed()]);
    const double steps = variant().rounding_steps(shape, type(), {});
    double most = 0;
    const std::size_t places = std::clamp<std::size_t>(2'000'000 / terms, 12, 100);
    for (std::size_t place = 0; place < terms; place += 1 + terms / places)
      most = std::max(most, counted(shape, place, steps));
    if (order_varies()) continue;
    // The bound of n steps is n u / (1 - n u).
    const double shown = (steps - slack) * (1 - 2 * steps * info(type()).unit_roundoff);
    EXPECT_GE(most, shown * 0.998);
  }
}

TEST_P(CountedSteps, AreSeenByTrial) {
  Draws draws(46);
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(text_of(shape, {}));
    const double steps = variant().rounding_steps(shape, type(), {});
    double most = 0;
    const int trials = element_count(algorithm().arrays(shape)[summed()]) > 1'000'000 ? 20 : 200;
    for (int trial = 0; trial < trials; ++trial)
      most = std::max(most, seen_by_trial(shape, draws, steps));
    if (order_varies()) continue;
    // Products and divisions are exact, and sums of subtrees not always odd.
    EXPECT_GE(most, 0.85 * steps - 8);
  }
}

ADO_FOR_VARIANTS(CountedSteps, rounds_as_it_sums);

} // namespace
} // namespace ado::bench
