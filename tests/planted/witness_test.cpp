// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What witness data shows and no bound on rounding errors does.
#include "variant_test.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/planted_errors.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/core/bound.hpp>
#include <ado/core/error.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace ado::bench {
namespace {

const Variant& serial(std::string_view algorithm) {
  return *find_variant(algorithm, "serial", "serial", "");
}

/// A few sums of a few terms.
Shape small_shape(const Algorithm& algorithm) {
  if (algorithm.name == "pipeline") return {2, 33, 5};
  if (algorithm.sizes.size() == 1) return {61, 1, 1};
  return algorithm.sizes.size() == 2 ? Shape{7, 9, 1} : Shape{3, 5, 4};
}

/// What a planted error does to the largest input before the right variant runs, and where.
void (*change)(ResultElements&, std::size_t place);
std::size_t changed_place;

const PlantedError planted_change{
    .name = "changed",
    .what = "reads another element",
    .run = [](PlantedRun& run) { run.compute_with_changed_input(); },
    .change = [](ResultElements& elements) { change(elements, changed_place); }};

void leave_out(ResultElements& e, std::size_t place) { std::memset(e.at(place), 0, e.size); }
void take_the_next(ResultElements& e, std::size_t place) {
  const std::size_t next = (place + 1) % (e.rows * e.columns);
  std::memcpy(e.at(place), e.at(next), e.size);
}

class WitnessTest : public testing::Test {
protected:
  WitnessTest() : device_(open_device_of(serial("average"))) {}

  /// What witness data shows about a variant that first changes one element.
  Seen seen_of_change(WitnessBench& bench, const Variant& right, std::size_t place) {
    changed_place = place;
    const PlantedVariant planted(*device_, right, planted_change);
    return bench.see(planted.variant(), {});
  }

  /// The number of places, out of `tried`, where a changed element shows.
  std::size_t caught(const Problem& problem, std::size_t& tried) {
    WitnessBench bench(*device_, problem);
    std::size_t caught = 0;
    for (tried = 0; tried < elements_of(problem); ++tried)
      caught +=
          seen_of_change(bench, serial(problem.algorithm->name), tried).failure.empty() ? 0 : 1;
    return caught;
  }

  static std::size_t elements_of(const Problem& problem) {
    const std::vector<ArraySpec> specs = problem.algorithm->arrays(problem.shape);
    return element_count(specs[*largest_input(specs)]);
  }

  Device& device() { return *device_; }

private:
  std::unique_ptr<Device> device_;
};

TEST_F(WitnessTest, AnyElementThatIsLeftOutShows) {
  change = leave_out;
  for (const Algorithm& algorithm : algorithms())
    for (const Type type : {Type::i32, Type::f32, Type::f64}) {
      if (!algorithm.types.contains(type)) continue;
      SCOPED_TRACE(std::string(algorithm.name) + " " + std::string(name_of(type)));
      std::size_t tried = 0;
      EXPECT_EQ(caught({&algorithm, small_shape(algorithm), type}, tried), tried);
      EXPECT_GT(tried, 50u);
    }
}

TEST_F(WitnessTest, AnotherElementInItsPlaceShowsUnlessItIsEqual) {
  change = take_the_next;
  for (const Algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    std::size_t tried = 0;
    const Type type = algorithm.types.contains(Type::f32) ? Type::f32 : algorithm.default_type;
    EXPECT_GE(caught({&algorithm, small_shape(algorithm), type}, tried), tried - tried / 8);
  }
}

/// One of many elements, for which the bound has room a thousand times over.
TEST_F(WitnessTest, OneElementOfALongSumShows) {
  change = leave_out;
  for (const auto& [name, shape] : {std::pair<const char*, Shape>{"yax", {1024, 1031, 1}},
                                    {"average", {1, 1, 1 << 20}},
                                    {"average_mv", {1, 67, 16411}}}) {
    SCOPED_TRACE(name);
    const Problem problem{find_algorithm(name), shape, Type::f32};
    WitnessBench bench(device(), problem);
    const Variant& right = *find_variant(name, "openmp", "team", host_backend);
    EXPECT_EQ(bench.see(right, {}).failure, "");
    for (const std::size_t place :
         {std::size_t{0}, elements_of(problem) / 3, elements_of(problem) - 1}) {
      const Seen seen = seen_of_change(bench, right, place);
      EXPECT_EQ(seen.failure.rfind("WRONG on witness data: [0][0] is ", 0), 0u) << seen.failure;
      EXPECT_EQ(seen.elements, elements_of(problem));
    }
  }
}

/// All partial sums are exact in any order, so every order gives the oracle's bits.
TEST_F(WitnessTest, SumsAreExactAtAnyLength) {
  for (const Type type : {Type::f32, Type::f64})
    for (double terms = 1; terms < 0x1p36; terms *= 8)
      for (const double factors : {1, 2, 3}) {
        const double limit = 1 / info(type).unit_roundoff;
        const double largest = largest_whole_number(terms, factors, limit);
        EXPECT_GE(largest, 1) << name_of(type) << ", " << terms;
        EXPECT_LE(6 * std::sqrt(terms) * std::pow(largest, factors), limit * (1 + 1e-6));
      }
}

/// Runs the best hand-written variant without one element of the largest input.
const Variant* best;
std::size_t left_out;
void run_without_one(const Call& call) {
  const Array& input =
      call.arrays[*largest_input(find_algorithm(best->algorithm)->arrays(call.shape))];
  const std::size_t size = size_of(call.type);
  std::byte* const element = input.as<std::byte>() + left_out * size;
  const std::vector<std::byte> kept(element, element + size);
  std::memset(element, 0, size);
  best->run(call);
  std::memcpy(element, kept.data(), size);
}

/// Arrays of about this many elements; ADO_LEAST_DEFECT=N goes from 10 to 10^N and prints a table.
/// From 9.64 on it includes 2^32, but not with elements of 8 bytes, which would take 140 GB.
TEST_F(WitnessTest, OneElementOfManyShows) {
  const char* const asked = std::getenv("ADO_LEAST_DEFECT");
  const double most = std::pow(10, asked == nullptr ? 6 : std::atof(asked));
  std::vector<double> sizes;
  for (double elements = 10; elements <= most; elements *= 10)
    sizes.push_back(elements);
  if (most > 0x1p32) sizes.push_back(0x1p32);
  constexpr std::size_t tries = 8;
  for (const double elements : sizes)
    for (const Algorithm& algorithm : algorithms())
      for (const Type type : {Type::i32, Type::f32, Type::f64}) {
        if (!algorithm.types.contains(type)) continue;
        if (elements == 0x1p32 && size_of(type) == 8) continue;
        Problem problem{&algorithm, {std::size_t(elements), 1, 1}, type};
        if (algorithm.shape_of_size != nullptr)
          problem.shape = algorithm.shape_of_size(std::size_t(elements));
        if (algorithm.name == "average") // one sum, as long as possible
          problem.shape = {1, 1, std::size_t(elements)};
        best = find_variant(algorithm.name, "openmp", algorithm.best, host_backend);
        ASSERT_NE(best, nullptr) << algorithm.name;
        Variant variant = *best;
        variant.run = run_without_one;
        WitnessBench bench(device(), problem);
        const std::size_t count = elements_of(problem);
        std::size_t caught = 0;
        for (std::size_t k = 0; k < tries; ++k) {
          left_out = (count - 1) * k / (tries - 1);
          caught += bench.see(variant, {}).failure.rfind("WRONG", 0) == 0 ? 1 : 0;
        }
        EXPECT_EQ(caught, tries) << algorithm.name << " " << name_of(type) << " " << count;
        if (asked == nullptr) continue;
        std::printf("| %s | %s | %zu | %zu of %zu |\n", std::string(algorithm.name).c_str(),
                    std::string(name_of(type)).c_str(), count, caught, tries);
        std::fflush(stdout);
      }
}

/// If all is exact, an error of one unit in the last place shows; no bound refuses that.
TEST_F(WitnessTest, OutputsAreTheOraclesBitsWhereAllIsExact) {
  Variant wrong = serial("average");
  wrong.run = [](const Call& call) {
    serial("average").run(call);
    auto* const mean = call.arrays[1].as<float>();
    *mean = std::nextafter(*mean, 2 * *mean);
  };
  const auto failure = [&](std::size_t vectors) {
    return WitnessBench(device(), {find_algorithm("average"), {1, 1, vectors}, Type::f32})
        .see(wrong, {})
        .failure;
  };
  EXPECT_NE(failure(64), "");
  EXPECT_EQ(failure(65), "") << "a division rounds";
}

/// Adds the smallest step to the only output of the best variant.
void one_step_too_much(const Call& call) {
  best->run(call);
  const Algorithm& algorithm = *find_algorithm(best->algorithm);
  const Array& output = call.arrays[algorithm.arrays(call.shape).size() - 1];
  *output.as<float>() += static_cast<float>(algorithm.witness(call.shape, call.type)->step);
}

/// Sums whose bounds allow ten thousand steps; the second one's outputs are not exact.
TEST_F(WitnessTest, OneStepShows) {
  for (const auto& [name, shape] : {std::pair<const char*, Shape>{"yax", {1024, 1031, 1}},
                                    {"average", {1, 1, (1 << 20) + 1}}}) {
    best = find_variant(name, "openmp", "team", host_backend);
    Variant wrong = *best;
    wrong.run = one_step_too_much;
    WitnessBench bench(device(), {find_algorithm(name), shape, Type::f32});
    EXPECT_EQ(bench.see(*best, {}).failure, "");
    EXPECT_EQ(bench.see(wrong, {}).failure.rfind("WRONG on witness data: [0][0] is ", 0), 0u)
        << name;
  }
}

/// If nothing is summed and the variant will be measured on random bits, no witness run is needed.
TEST_F(WitnessTest, RandomBitsAreWitnessEnoughForWhatIsOnlyMoved) {
  Variant thrower = serial("transpose");
  thrower.run = [](const Call&) { throw Error("thrown on purpose"); };
  const Problem problem{find_algorithm("transpose"), {7, 9, 1}, Type::f32};
  const Seen seen = WitnessBench(device(), problem, true).see(thrower, {});
  EXPECT_EQ(seen.failure, "") << "it does not run";
  EXPECT_EQ(seen.elements, 63u);
  EXPECT_NE(WitnessBench(device(), problem).see(thrower, {}).failure, "");
  const Problem sum{find_algorithm("yax"), {7, 9, 1}, Type::f32};
  EXPECT_NE(WitnessBench(device(), sum, true).see(thrower, {}).failure, "");
}

TEST_F(WitnessTest, WhereSumsAreTooLongItSaysSo) {
  WitnessBench bench(device(), {find_algorithm("average_mv"), {1, 1 << 20, 1 << 20}, Type::f32});
  const Seen seen = bench.see(serial("average_mv"), {});
  EXPECT_EQ(seen.not_seen, "there is no witness data of this size in f32, so nothing shows that no "
                           "element is left out");
  EXPECT_EQ(seen.failure + std::to_string(seen.elements), "0");
}

/// Computes in the first run and keeps the means in its workspace.
void keep_means(const Call& call) {
  constexpr std::uint64_t mark = 0x6b657074;
  const std::size_t bytes = call.shape[0] * call.shape[1] * size_of(call.type);
  auto* const kept = static_cast<std::byte*>(call.workspace);
  if (std::uint64_t found; std::memcpy(&found, kept, sizeof found), found != mark) {
    serial("average").run(call);
    std::memcpy(kept + sizeof mark, call.arrays[1].data, bytes);
    std::memcpy(kept, &mark, sizeof mark);
  }
  std::memcpy(call.arrays[1].data, kept + sizeof mark, bytes);
}

TEST_F(WitnessTest, WhatIsKeptInTheWorkspaceShows) {
  Variant keeper = serial("average");
  keeper.run = keep_means;
  keeper.workspace_bytes = [](const Shape& s, Type type) {
    return 8 + s[0] * s[1] * size_of(type);
  };
  for (const Type type : {Type::f32, Type::f64}) {
    const Problem problem{find_algorithm("average"), {3, 5, 7}, type};
    WitnessBench bench(device(), problem);
    EXPECT_EQ(
        bench.see(keeper, {}).failure.rfind("WRONG where an input changes between runs: [0][0]", 0),
        0u);
    EXPECT_EQ(bench.see(serial("average"), {}).failure, "") << "signs are the others now";
    HostData data(problem);
    data.make(DataKind::uniform, 1);
    Workbench given(device(), data, 1);
    EXPECT_TRUE(measure(given, problem, {&keeper}, {.reps = 2})[0].verified())
        << "on data that never changes nothing shows";
  }
}

/// Other data must not acquit what was wrong, or not seen, on witness data.
TEST_F(WitnessTest, WithoutItNothingIsVerified) {
  const Problem problem{find_algorithm("average"), {3, 5, 7}, Type::f32};
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  Workbench bench(device(), data, 1);
  const Variant& right = serial("average");
  const auto measured = [&](const Seen& seen) {
    return measure(bench, problem, {&right}, {.reps = 2}, {}, {seen})[0];
  };
  const Measurement fine = measured({.elements = 105});
  EXPECT_TRUE(fine.verified());
  EXPECT_EQ(fine.witnessed, 105u);
  const Measurement wrong = measured({.failure = "WRONG on witness data: planted", .ran = true});
  EXPECT_EQ(wrong.failure, "WRONG on witness data: planted");
  EXPECT_TRUE(wrong.ran) << "it is a wrong result";
  EXPECT_TRUE(wrong.seconds.empty());
  const Measurement not_seen = measured({.not_seen = "planted"});
  EXPECT_EQ(not_seen.failure, "");
  EXPECT_FALSE(not_seen.verified());
  EXPECT_EQ(not_seen.unverified, "not verified: planted");
  Variant double_alone = right;
  double_alone.types = {Type::f64};
  const Measurement skipped =
      measure(bench, problem, {&double_alone}, {.reps = 2}, {}, {Seen{}})[0];
  EXPECT_TRUE(skipped.skipped);
  EXPECT_FALSE(skipped.ran);
  EXPECT_EQ(skipped.failure, "has no f32");
}

TEST_F(WitnessTest, WhatFailsThereIsSaid) {
  Variant thrower = serial("average");
  thrower.run = [](const Call&) { throw Error("thrown on purpose"); };
  WitnessBench bench(device(), {find_algorithm("average"), {3, 5, 7}, Type::f32});
  const Seen seen = bench.see(thrower, {});
  EXPECT_EQ(seen.failure, "thrown on purpose");
  EXPECT_FALSE(seen.ran) << "it is no wrong result";
  thrower.run = [](const Call&) { throw InvalidArgument("refused on purpose"); };
  EXPECT_TRUE(bench.see(thrower, {}).refused);
  thrower.types = {Type::f64};
  EXPECT_EQ(bench.see(thrower, {}).failure, "") << "it is skipped";
}

} // namespace
} // namespace ado::bench
