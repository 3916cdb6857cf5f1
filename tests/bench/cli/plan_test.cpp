// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases and rows of a command line, and the default sizes.
#include "described_device.hpp"
#include "expect_refused.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace ado::bench {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t largest_array_bytes(const Algorithm& algorithm, const Shape& shape, Type type) {
  std::size_t largest = 0;
  for (const ArraySpec& spec : algorithm.arrays(shape))
    largest = std::max(largest, element_count(spec) * size_of(type));
  return largest;
}

std::size_t all_array_bytes(const Algorithm& algorithm, const Shape& shape, Type type) {
  std::size_t all = 0;
  for (const ArraySpec& spec : algorithm.arrays(shape))
    all += element_count(spec) * size_of(type);
  return all;
}

TEST(DefaultShape, IsRoundAndBeyondTheCacheAndFitsTheMemory) {
  for (const Algorithm& algorithm : algorithms())
    for (const std::size_t cache : {0, 1, 12, 32, 33, 36, 105, 256, 384})
      for (const int threads : {1, 2, 6, 24, 128}) {
        const std::size_t memory = 65536 * mebibyte;
        const DescribedDevice device(threads, cache * mebibyte, memory);
        const Type type = algorithm.default_type;
        const Shape shape = default_shape(algorithm, type, device);
        SCOPED_TRACE(std::string(algorithm.name) + ", cache " + std::to_string(cache) + " MiB, " +
                     std::to_string(threads) + " threads");
        for (std::size_t k = 0; k < algorithm.sizes.size(); ++k) {
          EXPECT_EQ(shape[k] % 64, 0u);
          EXPECT_FALSE(shape[k] >= 512 && std::has_single_bit(shape[k])) << shape[k];
        }
        const std::size_t bytes = all_array_bytes(algorithm, shape, type);
        EXPECT_GE(bytes, 4 * std::min(cache, 128 + 16 * std::size_t(threads)) * mebibyte);
        EXPECT_GE(bytes, std::min(64 * std::size_t(threads), std::size_t{1024}) * mebibyte);
        EXPECT_LT(bytes, memory / 4);
        EXPECT_FALSE(may_stay_in_cache({&algorithm, shape, type}, device));
      }
}

TEST(DefaultShape, DoesNotFollowTheFreeMemory) {
  for (const Algorithm& algorithm : algorithms()) {
    const Type type = algorithm.default_type;
    const DescribedDevice before(64, 32 * mebibyte, 6'100'000'000);
    const DescribedDevice after(64, 32 * mebibyte, 4'400'000'000);
    EXPECT_EQ(default_shape(algorithm, type, before), default_shape(algorithm, type, after));
  }
}

TEST(DefaultShape, LeavesRoomOnASmallMachine) {
  for (const Algorithm& algorithm : algorithms()) {
    const DescribedDevice device(4, 32 * mebibyte, 256 * mebibyte);
    const Shape shape = default_shape(algorithm, algorithm.default_type, device);
    EXPECT_LE(largest_array_bytes(algorithm, shape, algorithm.default_type), 64 * mebibyte);
  }
}

TEST(DefaultShape, IsBeyondTheCacheOfAGpuThatHoldsIt) {
  DescribedDevice gpu(1, 50 * mebibyte, std::size_t{140'000'000'000});
  gpu.on_host = false;
  for (const char* name : {"average_mv", "transpose", "yax"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    const std::size_t bytes =
        all_array_bytes(algorithm, default_shape(algorithm, Type::f32, gpu), Type::f32);
    EXPECT_GE(bytes, 16 * gpu.last_level_cache);
    EXPECT_LT(bytes, 24 * gpu.last_level_cache);
  }
  gpu.memory_bytes = 4096 * mebibyte;
  for (const char* name : {"average_mv", "transpose", "yax"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    const Shape shape = default_shape(algorithm, Type::f32, gpu);
    EXPECT_LT(largest_array_bytes(algorithm, shape, Type::f32), 1024 * mebibyte);
  }
}

const SizeSet& set_named(std::string_view name) {
  return *std::find_if(size_sets.begin(), size_sets.end(),
                       [&](const SizeSet& set) { return set.name == name; });
}

TEST(SizeSets, AreOfTheirSizeWhateverTheAlgorithm) {
  for (const Algorithm& algorithm : algorithms())
    for (const auto& [name, bytes] : {std::pair("small", 1e8), std::pair("large", 1e9)}) {
      const Type type = algorithm.default_type;
      const Shape shape = shape_of(set_named(name), algorithm, type);
      const auto largest = static_cast<double>(largest_array_bytes(algorithm, shape, type));
      EXPECT_GT(largest, 0.9 * bytes) << algorithm.name;
      EXPECT_LT(largest, 1.1 * bytes) << algorithm.name;
    }
  const Algorithm& transpose = *find_algorithm("transpose");
  EXPECT_EQ(shape_of(set_named("classic"), transpose, Type::i32), transpose.classic);
  EXPECT_EQ(shape_of(set_named("small"), transpose, Type::i32), (Shape{4992, 4992, 1}));
}

TEST(SizeSets, OfAProblemThatSaysNothingOfItsSizesAreAlike) {
  Algorithm own = *find_algorithm("average_mv");
  own.shape_of_size = nullptr;
  own.classic = {};
  const Shape shape = shape_of(set_named("small"), own, Type::f32);
  EXPECT_EQ(shape, (Shape{320, 320, 320}));
  expect_refused([&] { shape_of(set_named("classic"), own, Type::f32); },
                 {"--sizes classic: average_mv has none"});
}

class PlanCases : public testing::Test {
protected:
  std::vector<Case> plan() const { return plan_cases(options_, device_); }
  const Row& row(const std::vector<Case>& cases, const std::string& name) const {
    for (const Case& c : cases)
      for (const Row& r : c.rows)
        if (r.name == name) return r;
    ADD_FAILURE() << "no row " << name;
    return cases.at(0).rows.at(0);
  }

  DescribedDevice device_{2, 32 * mebibyte, 16384 * mebibyte};
  Options options_;
};

TEST_F(PlanCases, TheThreeAlgorithmsWithTheirDefaultTypes) {
  options_.stop.reps = 10;
  const auto cases = plan();
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].problem.algorithm->name, "average_mv");
  EXPECT_EQ(cases[0].problem.type, Type::f32);
  EXPECT_EQ(cases[1].problem.type, Type::i32);
  EXPECT_EQ(cases[2].problem.type, Type::f64);
}

TEST_F(PlanCases, WhatPortableCodeCostsComesFirstAndTheOtherRungsAreBrief) {
  const auto cases = plan();
  ASSERT_EQ(cases.size(), 6u);
  for (std::size_t k = 0; k < 3; ++k) {
    ASSERT_EQ(cases[k].rows.size(), forms.size());
    for (std::size_t form = 0; form < forms.size(); ++form) {
      EXPECT_EQ(cases[k].rows[form].name, forms[form].name);
      EXPECT_FALSE(cases[k].rows[form].brief);
    }
    const Case& ladder = cases[k + 3];
    EXPECT_EQ(ladder.problem.algorithm, cases[k].problem.algorithm);
    EXPECT_EQ(ladder.problem.shape, cases[k].problem.shape);
    for (const Row& r : ladder.rows)
      EXPECT_TRUE(r.brief && !is_answer(r)) << r.name;
  }
}

/// If the user names rows or how long to measure them, no row is brief.
TEST_F(PlanCases, NothingIsBriefWhereSomethingWasAskedFor) {
  const Options usual = options_;
  const auto expect_none = [&](const char* why) {
    for (const Case& c : plan())
      for (const Row& r : c.rows)
        EXPECT_FALSE(r.brief) << why << ": " << r.name;
    options_ = usual;
  };
  options_.variants = {"flat", "team"};
  expect_none("--variant");
  options_.models = {"kokkos", "openmp"};
  expect_none("--model");
  options_.stop.reps = 3;
  expect_none("--reps");
  options_.stop.timeout = 5;
  expect_none("--timeout");
  options_.stop.min_time = 1;
  expect_none("--min-time");
  options_.stop.max_noise = 0.01;
  expect_none("--max-noise");
  options_.sweeps = parse_sweeps({"rows=64,65"}, {});
  options_.algorithms = {"yax"};
  expect_none("--sweep");
}

TEST_F(PlanCases, APortableVariantMeetsItsTwinElseTheBestNativeOne) {
  options_.algorithms = {"yax"};
  const auto cases = plan();
  const Row& team = row(cases, "team");
  const Row& rung = row(cases, "row_per_thread");
  ASSERT_TRUE(team.portable && team.native && rung.portable && rung.native);
  EXPECT_EQ(full_name(*team.portable), "kokkos/team");
  EXPECT_EQ(full_name(*team.native), "openmp/team");
  EXPECT_EQ(full_name(*rung.portable), "kokkos/row_per_thread");
  EXPECT_EQ(full_name(*rung.native), "openmp/team");
  const Row& serial = row(cases, "serial");
  EXPECT_EQ(serial.portable, nullptr);
  EXPECT_EQ(full_name(*serial.native), "serial/serial");
}

TEST_F(PlanCases, EveryVariantOfTheHostHasARow) {
  for (const Algorithm& algorithm : algorithms()) {
    options_.algorithms = {std::string(algorithm.name)};
    const auto cases = plan();
    for (const Variant& v : variants()) {
      if (v.algorithm != algorithm.name) continue;
      if (v.backend != device_.backend && v.backend != host_backend) continue;
      EXPECT_TRUE(std::any_of(cases.begin(), cases.end(),
                              [&](const Case& c) {
                                const auto all = variants_of(c);
                                return std::find(all.begin(), all.end(), &v) != all.end();
                              }))
          << v.algorithm << " " << full_name(v);
    }
  }
}

TEST_F(PlanCases, SelectionNarrowsTheRows) {
  options_.algorithms = {"yax"};
  options_.variants = {"team"};
  EXPECT_EQ(plan().at(0).rows.size(), 1u);
  options_.models = {"kokkos"};
  EXPECT_EQ(plan().at(0).rows.at(0).native, nullptr);
  options_.models = {"openmp"};
  EXPECT_EQ(plan().at(0).rows.at(0).portable, nullptr);
  options_.models = {};
  options_.variants = {};
  options_.excluded_variants = {"team", "serial"};
  const auto cases = plan();
  for (const Row& r : cases.at(0).rows)
    EXPECT_NE(r.name, "team");
}

TEST_F(PlanCases, SizesAndTypesAreTakenWhereGiven) {
  options_.stop.reps = 10;
  options_.algorithms = {"transpose", "yax"};
  options_.types = {Type::f32, Type::i8};
  options_.sizes = {{"rows", 5}, {"cols", 7}};
  const auto cases = plan(); // yax has no i8
  ASSERT_EQ(cases.size(), 3u);
  for (const Case& c : cases)
    EXPECT_EQ(c.problem.shape, (Shape{5, 7, 1}));
  EXPECT_EQ(cases[1].problem.type, Type::i8);
  EXPECT_EQ(cases[2].problem.type, Type::f32);
}

TEST_F(PlanCases, SweepsMakeEveryCombinationOfTheSizesThatAnAlgorithmHas) {
  options_.algorithms = {"average_mv", "yax"};
  options_.sizes = {{"sets", 3}, {"vectors", 4}, {"length", 5}};
  options_.types = {Type::f32, Type::f64};
  options_.sweeps = parse_sweeps({"rows=10,20", "cols=7,8,9"}, options_.sizes);
  const auto cases = plan();
  ASSERT_EQ(cases.size(), 2u + 2 * 6);
  EXPECT_EQ(cases[0].problem.shape, (Shape{3, 5, 4})) << "has none of the swept sizes: once a type";
  EXPECT_EQ(cases[1].problem.shape, (Shape{3, 5, 4}));
  EXPECT_EQ(cases[2].problem.shape, (Shape{10, 7, 1}));
  EXPECT_EQ(cases[3].problem.shape, (Shape{10, 8, 1}));
  EXPECT_EQ(cases[7].problem.shape, (Shape{20, 9, 1}));
  EXPECT_EQ(cases[7].problem.type, Type::f32);
  EXPECT_EQ(cases[8].problem.type, Type::f64);
  for (std::size_t k = 2; k < cases.size(); ++k)
    EXPECT_EQ(cases[k].rows.size(), cases[2].rows.size());
}

TEST_F(PlanCases, EachRowPaddingIsACaseOfTheAlgorithmsWithRows) {
  options_.algorithms = {"vector_add", "yax"};
  options_.types = {Type::f32, Type::f64};
  options_.sweeps = parse_sweeps({"rows=10,20"}, {});
  options_.row_paddings = {0, 3};
  const auto cases = plan();
  ASSERT_EQ(cases.size(), 2u + 2 * 2 * 2);
  EXPECT_EQ(cases[0].problem.row_padding, 0u) << "a vector has no rows";
  for (std::size_t k = 2; k < cases.size(); ++k)
    EXPECT_EQ(cases[k].problem.row_padding, k % 2 == 0 ? 0u : 3u);
  EXPECT_EQ(cases[4].problem.shape[0], 20u);
  EXPECT_EQ(cases[6].problem.type, Type::f64);
}

TEST_F(PlanCases, ARowPaddingThatWouldDoNothingOrOfFilesIsRefused) {
  options_.algorithms = {"vector_add"};
  options_.row_paddings = {0, 3};
  expect_refused([&] { plan(); }, {"--row-padding 3: the arrays of vector_add have no rows; choose "
                                   "--algorithm average, average_mv, pipeline, transpose, yax"});
  options_.algorithms = {"yax"};
  options_.outputs = {{"result", "r.npy"}};
  expect_refused([&] { plan(); }, {"--row-padding 3: arrays of --output are packed", "leave out"});
  options_.inputs = {{"a", "a.npy"}};
  expect_refused([&] { plan(); }, {"--row-padding 3: arrays of --input are packed", "leave out"});
  options_ = {};
  options_.algorithms = {"yax"};
  options_.sweeps = parse_sweeps({"rows=1:6000:+1"}, {});
  options_.row_paddings = {1, 2};
  expect_refused([&] { plan(); }, {"more than 10000 cases"});
}

TEST_F(PlanCases, TiedSizesAreEqualAndOthersFitTheMachine) {
  options_.algorithms = {"transpose", "average_mv"};
  options_.sweeps = parse_sweeps({"rows=cols=N=64,65"}, {});
  const auto cases = plan();
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[0].problem.shape, (Shape{64, 64, 1}));
  EXPECT_EQ(cases[1].problem.shape, (Shape{65, 65, 1}));
  const Shape usual = default_shape(*cases[2].problem.algorithm, Type::f32, device_);
  EXPECT_EQ(cases[2].problem.shape, (Shape{64, usual[1], usual[2]}));
  EXPECT_EQ(cases[3].problem.shape, (Shape{65, usual[1], usual[2]}));
}

TEST_F(PlanCases, SweepsThatNobodyTakesOrThatAreTooManyAreRefused) {
  options_.algorithms = {"yax"};
  options_.sweeps = parse_sweeps({"cols=N=1,2"}, {});
  expect_refused([&] { plan(); }, {"--sweep cols=N=1,2, sets", "none of the selected"});
  options_.sweeps = parse_sweeps({"rows=1:6000:+1"}, {});
  EXPECT_EQ(plan().size(), 6000u);
  options_.types = {Type::f32, Type::f64};
  expect_refused([&] { plan(); }, {"--sweep", "more than 10000 cases", "fewer"});
  options_.types = {};
  options_.algorithms = {"yax", "transpose"};
  expect_refused([&] { plan(); }, {"--sweep", "more than 10000 cases", "fewer"});
}

TEST_F(PlanCases, ANamedSetIsTheSameOnEveryMachineAndOthersWin) {
  options_.stop.reps = 10;
  options_.algorithms = {"transpose", "average_mv"};
  options_.size_set = &set_named("small");
  const auto here = plan();
  device_ = DescribedDevice{64, 512 * mebibyte, std::size_t{1} << 40};
  device_.on_host = false;
  device_.backend = host_backend;
  const auto there = plan();
  ASSERT_EQ(here.size(), 2u);
  ASSERT_EQ(there.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(here[k].problem.shape, there[k].problem.shape);
  options_.sizes = {{"rows", 5}};
  options_.sweeps = parse_sweeps({"vectors=6,7"}, options_.sizes);
  const auto cases = plan();
  EXPECT_EQ(cases.at(0).problem.shape, (Shape{5, 4992, 1}));
  EXPECT_EQ(cases.at(2).problem.shape, (Shape{288, 288, 7}));
}

/// The rows of this variant.
std::vector<Row> rows_of(const Case& c, const std::string& name) {
  std::vector<Row> found;
  for (const Row& row : c.rows)
    if ((row.portable != nullptr ? row.portable : row.native)->name == name) found.push_back(row);
  return found;
}

TEST_F(PlanCases, ASweepHasARowForEachTeamSizeOfTheVariantsThatTakeOne) {
  options_.algorithms = {"average_mv"};
  options_.variants = {"coalesced", "team"};
  options_.team_size_sweep = true;
  device_.queue.threads = 5;
  const auto cases = plan();
  const std::vector<Row> swept = rows_of(cases.at(0), "coalesced");
  ASSERT_EQ(swept.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    const int size = 1 << k;
    EXPECT_EQ(swept[k].launch.team_size, size);
    EXPECT_EQ(swept[k].name, "coalesced, team " + std::to_string(size));
    EXPECT_TRUE(swept[k].in_sweep);
  }
  const std::vector<Row> other = rows_of(cases.at(0), "team");
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].launch.team_size, 0);
  EXPECT_EQ(other[0].name, "team");
  EXPECT_FALSE(other[0].in_sweep);
}

TEST_F(PlanCases, ATeamSizeGoesToTheVariantsThatTakeOne) {
  options_.algorithms = {"average_mv"};
  options_.variants = {"coalesced", "team"};
  options_.launch.team_size = 2;
  const auto cases = plan();
  EXPECT_EQ(row(cases, "coalesced, team 2").launch.team_size, 2);
  EXPECT_EQ(row(cases, "team").launch.team_size, 0);
}

TEST_F(PlanCases, EachStrideIsARowOfTheVariantsThatTakeOne) {
  options_.algorithms = {"vector_add"};
  options_.variants = {"strided", "team"};
  options_.strides = {1, 32};
  options_.launch.league_size = 3;
  const auto cases = plan();
  const std::vector<Row> strided = rows_of(cases.at(0), "strided");
  ASSERT_EQ(strided.size(), 2u);
  EXPECT_EQ(strided[0].name, "strided, league 3, stride 1");
  EXPECT_EQ(strided[1].name, "strided, league 3, stride 32");
  EXPECT_EQ(strided[1].launch.stride, 32);
  EXPECT_TRUE(strided[1].in_sweep) << "another variant may take a stride that this one does not";
  EXPECT_EQ(row(cases, "team").launch.stride, 0);
  options_.strides = {8};
  EXPECT_FALSE(rows_of(plan().at(0), "strided").at(0).in_sweep);
  options_.variants = {"team"};
  options_.launch.league_size = 0;
  expect_refused([&] { plan(); }, {"--stride", "none of the selected", "strided"});
  options_.algorithms = {"yax", "transpose"};
  expect_refused([&] { plan(); },
                 {"--stride: no variant of yax, transpose takes it; these do: vector_add ",
                  "vector_add strided"});
}

TEST_F(PlanCases, NothingToMeasureIsRefusedByTheOptionThatMadeIt) {
  const auto refused = [&](const char* algorithm, const Sizes& sizes, const char* sweep,
                           const std::vector<std::string>& fragments) {
    options_ = {};
    options_.algorithms = {algorithm};
    options_.sizes = sizes;
    if (*sweep != 0) options_.sweeps = parse_sweeps({sweep}, sizes);
    expect_refused([&] { plan(); }, fragments);
  };
  refused("transpose", {{"rows", 0}, {"cols", 5}}, "",
          {"--rows 0: array a of transpose would have no element", "give 1 at least"});
  refused("transpose", {{"cols", 5}}, "rows=3,0", {"--sweep rows=3,0: array a of transpose"});
  refused("average_mv", {{"sets", 3}, {"length", 0}, {"vectors", 0}}, "",
          {"--length 0: --vectors 0: array v of average_mv"});
  refused("transpose", {{"rows", std::size_t{1} << 60}, {"cols", 0}}, "", {"--cols 0"});
  options_ = {};
  options_.algorithms = {"pipeline"};
  options_.sizes = {{"chunks", 2}, {"chunk-elements", 16}, {"work-per-element", 0}};
  EXPECT_EQ(plan().size(), 1u) << "no work, and still data";
}

TEST_F(PlanCases, LaunchesOfAHostAreRefused) {
  options_.launches = true;
  try {
    plan();
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("--launches"), std::string::npos) << text;
    EXPECT_NE(text.find(device_.backend), std::string::npos) << text;
  }
  device_.on_host = false;
  EXPECT_FALSE(plan().empty());
}

TEST_F(PlanCases, PagesOfAGpuAreRefused) {
  options_.pages = Pages::system;
  EXPECT_FALSE(plan().empty());
  device_.on_host = false;
  expect_refused([&] { plan(); }, {"--pages", "the GPU's memory"});
  options_.algorithms = {"pipeline"}; // whose arrays stay on the host
  EXPECT_FALSE(plan().empty());
}

} // namespace
} // namespace ado::bench
