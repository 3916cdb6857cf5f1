// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems with several outputs: each is poisoned, guarded, verified, compared, written, spoiled.
#include "variant_test.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/data/witness.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/exact_oracle.hpp>
#include <ado/registry/oracle_of_each.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace ado::bench {
namespace {

struct Blind : Oracle {
  Check check(const Array&, const Tolerance&) const override { return {}; }
};

/// A right value beside a wrong place, the run's type beside 64 bits.
TEST(TwoOutputs, EachOfTwoOutputsIsVerified) {
  const Problem problem{find_algorithm("largest"), {50, 70, 1}, Type::f32};
  EXPECT_EQ(traffic_of(*problem.algorithm, problem.shape, problem.type).bytes_written, 50 * 12);
  const auto device = open_device({default_backend()});
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  for (std::size_t i = 0; i < 50; i += 7)
    data.input(0).as<float>()[i * 70] = 5; // the first of a row
  Workbench bench(*device, data, 2);
  const Variant& right = *find_variant("largest", "kokkos", "rows", device->backend);
  const Variant& late = *find_variant("largest", "kokkos", "late", device->backend);
  const std::vector<Measurement> measured = measure(bench, problem, {&right, &late}, {.reps = 2});
  EXPECT_EQ(measured[0].failure, "");
  EXPECT_EQ(measured[1].failure.rfind("WRONG: place: [0][0] is ", 0), 0u) << measured[1].failure;
  EXPECT_EQ(bench.host_output(0).as<float>()[0], 5);
  EXPECT_EQ(bench.host_output(0, 1).as<std::int64_t>()[0], 0);
}
TEST(TwoOutputs, ErrorsInEitherOfTwoOutputsAreCaught) {
  const auto device = open_device({default_backend()});
  std::size_t in_one = 0;
  for (const PlantedError& error : planted_errors())
    for (const std::size_t output : {0, 1}) {
      if (!error.in_one_output) continue;
      const Planted planted = measure_planted(*device, *find_algorithm("largest"), error, output);
      EXPECT_EQ(planted.unfit, "") << error.name << output;
      EXPECT_NE(planted.m.failure, "") << error.name << output;
      ++in_one;
    }
  EXPECT_EQ(in_one, 12u);
  std::ostringstream out;
  EXPECT_EQ(selftest(out, *device, {find_algorithm("largest")}), 0) << out.str();
}
/// The selftest says in which one.
TEST(TwoOutputs, AnErrorInTheSecondOutputIsMissedByABlindOracle) {
  Algorithm blind = *find_algorithm("largest");
  blind.oracle = [](Type type, const Shape& s, const std::vector<Array>& in) {
    const auto largest_of_rows = [&](const Array& values) {
      with_real_type(type, [&]<class T>(T) {
        const T* a = in[0].as<const T>();
        for (std::size_t i = 0; i < s[0]; ++i)
          values.as<T>()[i] = *std::max_element(a + i * s[1], a + (i + 1) * s[1]);
      });
    };
    return oracle_of_each(exact_oracle(type, {s[0], 1, 1}, largest_of_rows),
                          std::make_unique<Blind>());
  };
  std::ostringstream out;
  EXPECT_EQ(selftest(out, *open_device({default_backend()}), {&blind}), 1);
  EXPECT_NE(out.str().find("largest, wrong_later in place: taken for a right result"),
            std::string::npos)
      << out.str();
}
TEST(TwoOutputs, AnOracleOfTooFewOutputsIsRefused) {
  Algorithm one = *find_algorithm("largest");
  one.oracle = [](Type type, const Shape& s, const std::vector<Array>&) {
    return exact_oracle(type, {s[0], 1, 1}, [](const Array&) {});
  };
  HostData data({&one, {10, 10, 1}, Type::f32});
  data.make(DataKind::uniform, 1);
  for (const char* variant : {"the first", "another"}) { // each asks for it
    try {
      data.oracle();
      ADD_FAILURE() << "an oracle of one output for two, " << variant;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "the oracle of largest judges 1 of 2 outputs; oracle_of_each "
                                 "takes one for each");
    }
  }
}
/// The first row is NaN, which is right in both outputs; in the second it is never written.
TEST(TwoOutputs, ANaNIsNoPoisonInTheSecondOutput) {
  const Problem problem{find_algorithm("ends"), {20, 30, 1}, Type::f32};
  const auto device = open_device({default_backend()});
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  std::fill_n(data.input(0).as<float>(), 30, std::numeric_limits<float>::quiet_NaN());
  Workbench bench(*device, data, 1);
  const Variant& right = *find_variant("ends", "kokkos", "forwards", device->backend);
  EXPECT_EQ(measure(bench, problem, {&right}, {.reps = 2})[0].failure, "");
  const PlantedError first_left_out{
      .name = "first_left_out", .what = "", .run = [](PlantedRun& run) {
        ResultElements before = run.output();
        run.compute();
        run.change_output([&](ResultElements& e) { std::copy_n(before.at(0), e.size, e.at(0)); });
      }};
  const PlantedVariant planted(*device, right, first_left_out, 1);
  EXPECT_EQ(measure(bench, problem, {&planted.variant()}, {.reps = 2})[0].failure,
            "WRONG in timed run 1: squares: [0][0] was not written");
}
/// The orders of summation differ, and only the second output has sums.
TEST(TwoOutputs, ARunComparesAndWritesEachOutput) {
  const auto device = open_device({default_backend()});
  const std::string folder = testing::TempDir();
  Options options;
  options.algorithms = {"ends"};
  options.variants = {"backwards"};
  options.sizes = {{"rows", 100}, {"cols", 1000}};
  options.stop.reps = 2;
  options.reference = ReferenceSpec{.model = "kokkos", .variant = "forwards", .backend = {}};
  options.outputs = {{"last", folder + "last.npy"}, {"ends.squares", folder + "squares.npy"}};
  const Ceilings ceilings{1e9, 1e9, 1e9, 1e9, 1e9, 1e-6};
  const Results results =
      run_cases(options, plan_cases(options, *device), *device, *device, ceilings);
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_GT(results.rows[0].portable.max_difference, 0);
  float last[100], squares[100];
  read_npy(folder + "last.npy", read_npy_header(folder + "last.npy"), last);
  read_npy(folder + "squares.npy", read_npy_header(folder + "squares.npy"), squares);
  EXPECT_LT(*std::max_element(last, last + 100), 2);
  EXPECT_GT(*std::min_element(squares, squares + 100), 2) << "a sum of 1000 squares";
}
struct NeverRight : Oracle {
  Check check(const Array&, const Tolerance&) const override {
    return {.ok = false, .wrong = 1, .first_wrong = "[0][0] is wrong"};
  }
};
/// Memory that nobody may write says more than the wrong value of another output.
TEST(TwoOutputs, DamageBesideOneOutputIsToldBeforeAWrongValueInAnother) {
  Algorithm wrong = *find_algorithm("ends");
  wrong.oracle = [](Type, const Shape&, const std::vector<Array>&) {
    return oracle_of_each(std::make_unique<NeverRight>(), std::make_unique<Blind>());
  };
  const Problem problem{&wrong, {20, 30, 1}, Type::f32};
  const auto device = open_device({default_backend()});
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  Workbench bench(*device, data, 1);
  const Variant& right = *find_variant("ends", "kokkos", "forwards", device->backend);
  EXPECT_EQ(measure(bench, problem, {&right}, {.reps = 2})[0].failure,
            "WRONG: last: [0][0] is wrong");
  for (const PlantedError& error : planted_errors())
    if (error.name == "behind") {
      const PlantedVariant planted(*device, right, error, 1);
      EXPECT_EQ(measure(bench, problem, {&planted.variant()}, {.reps = 2})[0].failure,
                "WRONG: squares: memory behind the output was overwritten");
    }
}
/// A long output beside a short one that few inputs decide.
TEST(TwoOutputs, ALongOutputKeepsTheExtremes) {
  Algorithm both = *find_algorithm("ends");
  both.arrays = [](const Shape& s) {
    return std::vector<ArraySpec>{{"a", 2, {s[0], s[1], 1}},
                                  {"place", 1, {s[0], 1, 1}, true},
                                  {"normalized", 2, {s[0], s[1], 1}, true}};
  };
  EXPECT_TRUE(WitnessInputs({&both, {20, 1000, 1}, Type::f32}, true).judge());
}

} // namespace
} // namespace ado::bench
