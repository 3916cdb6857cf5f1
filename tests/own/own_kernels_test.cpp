// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instrument makes of kernels that are not ours.
#include "variant_test.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/cli/sizes.hpp>
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/profile/experiments.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/exact_oracle.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace ado::bench {
namespace {

/// The table's cells of one algorithm, by the name of the error.
std::map<std::string, std::string> selftest_of(const std::string& algorithm, int threads) {
  const auto device = open_device_of(variants().front(), threads);
  std::map<std::string, std::string> cells;
  for (const PlantedError& error : planted_errors()) {
    const Planted planted = measure_planted(*device, *find_algorithm(algorithm), error);
    cells[std::string(error.name)] = !planted.unfit.empty() ? planted.unfit
                                     : planted.m.verified() ? "verified"
                                     : planted.m.ran        ? "caught"
                                                            : planted.m.failure;
  }
  std::ostringstream out;
  EXPECT_EQ(selftest(out, *device, {find_algorithm(algorithm)}), 0) << out.str();
  return cells;
}

/// Expects these cells, and "caught" of all other errors.
void expect_selftest(const std::string& algorithm, std::map<std::string, std::string> others) {
  others["none"] = "verified";
  for (const int threads : {1, 2, 3})
    for (const auto& [error, cell] : selftest_of(algorithm, threads)) {
      const auto other = others.find(error);
      EXPECT_EQ(cell, other == others.end() ? "caught" : other->second)
          << algorithm << ", " << error << ", " << threads << " threads";
    }
}

TEST(OwnKernels, ASelftestAsksOnlyForDeclaredTypes) {
  expect_selftest("prefix_sum", {{"nan_lost", "no NaN"}});
}
/// Only the algorithm has f64 here; its variants take integers.
TEST(OwnKernels, AVariantThatLacksTheTypeGetsNoError) {
  Algorithm wider = *find_algorithm("prefix_sum");
  wider.types = {Type::i32, Type::f64};
  const auto device = open_device_of(variants().front());
  for (const PlantedError& error : planted_errors())
    if (error.with_nan) {
      EXPECT_EQ(measure_planted(*device, wider, error).unfit, "no variant");
    }
}
/// The smallest of 4489 numbers depends on one of them.
TEST(OwnKernels, AnErrorWithoutEffectIsNotMissed) {
  expect_selftest("smallest", {{"tile_edge", "no effect"},
                               {"last_block", "no effect"},
                               {"next_row", "no effect"},
                               {"swapped", "no effect"},
                               {"nan_lost", "no effect"},
                               {"one_element", "no effect"}});
}
struct Blind : Oracle {
  Check check(const Array&, const Tolerance&) const override { return {}; }
};
/// What has an effect on the measured data and passes was missed, whatever other data say: no other
/// has a NaN.
TEST(OwnKernels, ALostNaNThatAnOracleAcceptsIsMissed) {
  Algorithm blind = *find_algorithm("total");
  blind.oracle = [](Type, const Shape&, const std::vector<Array>&) -> std::unique_ptr<Oracle> {
    return std::make_unique<Blind>();
  };
  const auto device = open_device_of(variants().front());
  for (const PlantedError& error : planted_errors())
    if (error.with_nan) {
      const Planted planted = measure_planted(*device, blind, error);
      EXPECT_EQ(planted.unfit + planted.m.failure, "");
      EXPECT_TRUE(planted.m.ran);
    }
}
/// A kernel never gets keys that a change moved beyond the bins.
TEST(OwnKernels, IndicesStayInBounds) {
  expect_selftest("histogram", {{"nan_lost", "no NaN"},
                                {"next_row", "no effect"},
                                {"swapped", "no effect"},
                                {"changes_input", "bad input"},
                                {"changes_input_later", "bad input"}});
}
/// Other orders of a sum round differently, and are right.
TEST(OwnKernels, ASumDoesNotDependOnTheOrder) {
  expect_selftest("total", {{"next_row", "no effect"}, {"swapped", "no effect"}});
}
/// Two runs of each variant of these algorithms, in f32 and f64.
Results results_of(const std::vector<std::string>& algorithms, const Sizes& sizes) {
  Options options;
  options.algorithms = algorithms;
  options.types = {Type::f32, Type::f64};
  options.sizes = sizes;
  options.stop.reps = 2;
  const auto device = open_device_of(variants().front());
  const Ceilings ceilings{1e9, 1e9, 1e9, 1e9, 1e9, 1e-6};
  return run_cases(options, plan_cases(options, *device), *device, *device, ceilings);
}

/// What moves or is odd; -0 and 0 are one.
TEST(OwnKernels, AnExactOracleJudgesNegatedInputs) {
  const auto oracle = exact_oracle(Type::f32, {3, 1, 1}, [](const Array& b) {
    std::copy_n(std::array{1.F, -2.F, 0.F}.data(), 3, b.as<float>());
  });
  Tolerance negated(0);
  negated.negated = true;
  float same[] = {1, -2, 0}, other[] = {-1, 2, 0};
  const auto is_right = [&](float* data, const Tolerance& tolerance) {
    return oracle->check({data, {3, 1, 1}, {1, 1, 1}}, tolerance).ok;
  };
  EXPECT_TRUE(is_right(same, 0) && is_right(other, negated));
  EXPECT_FALSE(is_right(other, 0) || is_right(same, negated));
}
/// Squares and minima do not change sign with their input, so runs on both signs cannot be judged.
TEST(OwnKernels, AVariantWithAWorkspaceNeedNotBeOdd) {
  const Results results = results_of({"total", "smallest"}, {{"elements", 1000}});
  ASSERT_EQ(results.rows.size(), 4u);
  for (const RowResult& row : results.rows)
    EXPECT_TRUE(row.native.verified()) << row.native.failure << row.native.unverified;
}
TEST(OwnKernels, RowsShorterThanATile) { expect_selftest("norms", {}); }
TEST(OwnKernels, NoInputs) {
  expect_selftest("mandelbrot", {{"tile_edge", "no input"},
                                 {"last_block", "no input"},
                                 {"next_row", "no input"},
                                 {"swapped", "no input"},
                                 {"nan_lost", "no NaN"},
                                 {"one_element", "no input"},
                                 {"kept", "no input"},
                                 {"changes_input", "no input"},
                                 {"changes_input_later", "no input"}});
}
TEST(OwnKernels, ManyOperations) { expect_selftest("bodies", {}); }

/// As many bodies as fit the memory would take hours.
TEST(OwnKernels, OperationsBoundTheSizesThatNobodyChose) {
  const auto device = open_device_of(variants().front(), 2);
  const auto flops_of = [&](const Shape& shape) {
    return find_algorithm("bodies")->flops(shape, Type::f64);
  };
  const double usual = flops_of(default_shape(*find_algorithm("bodies"), Type::f64, *device));
  EXPECT_LE(usual, 2.5e9); // sides are multiples of 64
  EXPECT_GE(usual, 0.25e9);
  Algorithm few = *find_algorithm("bodies");
  few.shape_of_size = [](std::size_t elements) {
    return Shape{std::min<std::size_t>(elements, 100000), 1, 1};
  };
  EXPECT_LE(flops_of(default_shape(few, Type::f64, *device)), 2.5e9);
  for (const SizeSet& set : size_sets)
    if (set.bytes > 0) {
      const double flops = flops_of(shape_of(set, *find_algorithm("bodies"), Type::f64));
      EXPECT_LE(flops, set.most_flops);
      EXPECT_GE(flops, set.most_flops / 8);
    }
}

/// A number of steps is no side of an array; it may be a power of two.
TEST(OwnKernels, SizesThatTheAlgorithmFixesStay) {
  Algorithm picture = *find_algorithm("mandelbrot");
  picture.sizes = {{"rows"}, {"cols"}, {"steps"}};
  picture.shape_of_size = [](std::size_t elements) { return Shape{elements / 1024, 1000, 1024}; };
  const Shape shape = default_shape(picture, Type::i32, *open_device_of(variants().front()));
  EXPECT_EQ(shape[0] % 64, 0u);
  EXPECT_GT(shape[0], 1024u);
  EXPECT_EQ(shape[1], 1000u);
  EXPECT_EQ(shape[2], 1024u);
}

/// 64-bit counts beside 32-bit keys: their bytes, poison and checks follow the counts' type.
TEST(OwnKernels, AnOutputMayHaveATypeOfItsOwn) {
  const Problem problem{find_algorithm("histogram"), {1000, 1, 1}, Type::i32};
  EXPECT_EQ(problem.outputs().front().type(problem.type), Type::i64);
  EXPECT_EQ(traffic_of(*problem.algorithm, problem.shape, problem.type).bytes_written, 50 * 8);
  const auto device = open_device_of(variants().front());
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  Workbench bench(*device, data, 1);
  Variant late = *find_variant("histogram", "openmp", "loop", host_backend);
  EXPECT_EQ(measure(bench, problem, {&late}, {.reps = 2})[0].failure, "");
  late.run = [](const Call& call) { // leaves the upper half of the last count
    std::int64_t* const last = call.arrays[1].as<std::int64_t>() + 49;
    const std::int64_t before = *last;
    find_variant("histogram", "openmp", "loop", host_backend)->run(call);
    *last = (before & ~0xffffffffll) | (*last & 0xffffffffll);
  };
  EXPECT_EQ(measure(bench, problem, {&late}, {.reps = 2})[0].failure.rfind("WRONG: [49][0] is ", 0),
            0u);
}

TEST(OwnKernels, BytesMayBeOthersThanTheArrays) {
  const Traffic traffic = traffic_of(*find_algorithm("bodies"), {100, 1, 1}, Type::f64);
  EXPECT_EQ(traffic.bytes_read, 8000);
  EXPECT_EQ(traffic.bytes_written, 800);
  EXPECT_EQ(traffic.flops, 50000);
}

/// Of 20 rows of 100,000 random numbers none has its largest in the last column.
TEST(OwnKernels, ALastColumnThatIsNotReadShows) {
  const Results results = results_of({"place_of_largest"}, {{"rows", 20}, {"cols", 100000}});
  ASSERT_EQ(results.rows.size(), 4u);
  for (const RowResult& row : results.rows)
    EXPECT_EQ(row.native.failure.rfind("WRONG where an end of each row is extreme: ", 0) == 0,
              row.name == "short_rows")
        << row.name << row.native.failure;
}
TEST(OwnKernels, OfEachRowOneElementDecides) {
  expect_selftest("place_of_largest", {{"nan_lost", "no effect"}, {"one_element", "no effect"}});
}

/// The output has 64 bits, and the oracle of an unwary user those of the run.
TEST(OwnKernels, AnOracleOfAnotherTypeIsRefused) {
  Algorithm wrong = *find_algorithm("histogram");
  const auto message = [&] {
    HostData data({&wrong, {100, 1, 1}, Type::i32});
    data.make(DataKind::uniform, 1);
    try {
      data.oracle();
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  wrong.oracle = [](Type type, const Shape&, const std::vector<Array>&) {
    return exact_oracle(type, {50, 1, 1}, [](const Array& b) { *b.as<std::int32_t>() = 1; });
  };
  EXPECT_EQ(message(), "the oracle of histogram judges results of i32, and counts has i64");
  wrong.oracle = [](Type type, const Shape&, const std::vector<Array>&) {
    return exact_oracle(type, {50, 1, 1},
                        [](const Array& b) { std::fill_n(b.as<std::int64_t>(), 50, 1); });
  };
  EXPECT_EQ(message(), "exact_oracle: more was written than 50 results of i32; name the type of "
                       "the output");
}

/// Nothing is by hand, so the second has the first beside it.
TEST(OwnKernels, TwoFunctionsRunInTurn) {
  const auto device = open_device({default_backend()});
  Options options;
  options.algorithms = {"moved"};
  const std::vector<Case> cases = plan_cases(options, *device);
  ASSERT_EQ(cases.size(), 1u);
  ASSERT_EQ(cases[0].rows.size(), 2u);
  EXPECT_EQ(cases[0].rows[0].name, "first");
  EXPECT_EQ(cases[0].rows[0].native, nullptr);
  EXPECT_EQ(cases[0].rows[1].name, "second");
  EXPECT_EQ(cases[0].rows[1].native, cases[0].rows[0].portable);
  std::ostringstream out;
  EXPECT_EQ(selftest(out, *device, {find_algorithm("moved")}), 0) << out.str();
}

/// What experiments find out without a clock.
TEST(OwnKernels, ExperimentsKnowTheWorkAndTheCache) {
  const auto device = open_device_of(variants().front());
  device->last_level_cache = 1 << 20;
  RowResult row;
  row.problem = {find_algorithm("bodies"), {200, 1, 1}, Type::f64};
  row.native.variant = find_variant("bodies", "openmp", "loop", host_backend);
  const Experiments found = experiment({}, row, row.native, *device);
  EXPECT_EQ(found.work_twice, 4);
  EXPECT_EQ(found.work_four_times, 16);
  EXPECT_TRUE(found.fits_cache);
  EXPECT_EQ(found.in_cache, 0) << "it is there anyway";
  EXPECT_GT(found.at_four_times, 0);
  device->last_level_cache = 1024; // 3.2 kB of arrays
  EXPECT_FALSE(experiment({}, row, row.native, *device).fits_cache);
}

} // namespace
} // namespace ado::bench
