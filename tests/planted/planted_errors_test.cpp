// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instrument must catch: each planted error, through the mini-app's own code, becomes a
// row that says what is wrong and shows no speed.
#include "planted_variants.hpp"
#include "screen.hpp"
#include "variant_test.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/selftest.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/run/session.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

namespace ado::bench {
namespace {

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

const Variant& planted(std::string_view name) {
  return *std::find_if(variants().begin(), variants().end(),
                       [&](const Variant& v) { return v.name == name; });
}

class PlantedErrors : public testing::Test {
protected:
  void SetUp() override {
    device_ = open_device_of(planted("within_the_bound"));
    planted_runs = 0;
  }

  /// Four timed runs of a planted variant on a small problem, as in the mini-app.
  Results run(const std::string& algorithm, const std::string& name,
              std::vector<std::size_t> row_paddings = {}, double bytes_per_second = 1e9) {
    Options options;
    options.algorithms = {algorithm};
    options.variants = {name};
    options.types = {Type::f32};
    options.row_paddings = std::move(row_paddings);
    options.sizes = algorithm == "transpose"
                        ? decltype(options.sizes){{"rows", 31}, {"cols", 17}}
                        : decltype(options.sizes){{"sets", 3}, {"length", 5}, {"vectors", 100}};
    options.stop.reps = 4;
    const double memory = bytes_per_second;
    const Ceilings ceilings{memory, memory, memory, 1e9, 1e9, 1e-6};
    return run_cases(options, plan_cases(options, *device_), *device_, *device_, ceilings);
  }

  /// Expects that the variant is caught, with a message that holds `words`.
  void expect_caught(const std::string& algorithm, const std::string& name,
                     const std::string& words, int status = 1) {
    expect_caught(run(algorithm, name), name, words, status);
  }
  static void expect_caught(const Results& results, const std::string& name,
                            const std::string& words, int status) {
    ASSERT_EQ(results.rows.size(), 1u);
    const Measurement& m = results.rows[0].native;
    EXPECT_FALSE(m.verified());
    EXPECT_TRUE(contains(m.failure, words)) << m.failure;
    EXPECT_TRUE(m.seconds.empty()) << "a wrong result has no speed";
    EXPECT_EQ(exit_status(results), status);
    expect_row_without_numbers(results, name, words);
  }

  Device& device() { return *device_; }

private:
  static void expect_row_without_numbers(const Results& results, const std::string& name,
                                         const std::string& words) {
    const std::string screen = screen_of(results);
    std::istringstream lines(screen);
    std::string row, why;
    while (row.rfind(name, 0) != 0 && std::getline(lines, row)) {
    }
    std::getline(lines, why);
    EXPECT_EQ(row.find_first_of("0123456789"), std::string::npos) << row;
    EXPECT_TRUE(contains(why, words)) << screen;
  }

  std::unique_ptr<Device> device_;
};

TEST_F(PlantedErrors, AFewUnitsBeyondTheBound) {
  expect_caught("average", "beyond_the_bound", "WRONG on witness data: [0][0] is ");
}
TEST_F(PlantedErrors, WithinTheBoundIsNone) {
  const Results results = run("average", "within_the_bound");
  EXPECT_TRUE(results.rows[0].native.verified()) << results.rows[0].native.failure;
  EXPECT_EQ(results.rows[0].native.seconds.size(), 4u);
  EXPECT_EQ(exit_status(results), 0);
}
TEST_F(PlantedErrors, ARaceThatSpoilsOneRunInTheMiddle) {
  expect_caught("average", "racing", "WRONG in timed run 2: [0][1] is ");
}
/// Each is measured in arrays where other inputs were before.
TEST_F(PlantedErrors, AResultKeptFromEarlierInputs) {
  const std::string kept = "; it has the bits of the result of earlier inputs, so it was kept";
  expect_caught("average", "gives_first_means", kept);
  expect_caught("transpose", "gives_first_b", kept);
  expect_caught("transpose", "transposes_once", kept);
}
/// No right kernel reads faster than memory, unless a cache serves it.
TEST_F(PlantedErrors, ATimeThatMemoryCannotReachIsNotVerified) {
  const auto said = [&] {
    const Results results = run("average", "within_the_bound", {}, 1e3);
    EXPECT_EQ(exit_status(results), results.rows[0].native.verified() ? 0 : 6);
    return results.rows[0].native.unverified;
  };
  EXPECT_EQ(said(), "") << "a cache may hold the arrays";
  device().last_level_cache = 1024;
  EXPECT_EQ(said().rfind("not verified: memory needs ", 0), 0u);
}
TEST_F(PlantedErrors, AnException) { expect_caught("average", "throws", "thrown on purpose", 3); }
TEST_F(PlantedErrors, AnExceptionInALaterRun) {
  expect_caught("average", "throws_later", "thrown on purpose, at the third run", 3);
}
TEST_F(PlantedErrors, MoreMemoryThanThereIs) {
  expect_caught("average", "too_much_memory", "out of memory: workspace needs 1152921504606", 3);
}
TEST_F(PlantedErrors, WritesBehindItsStagingMemory) {
  for (const char* name : {"overruns_locked", "overruns_pageable"})
    expect_caught("average", name, "WRONG: memory behind the workspace");
}
TEST_F(PlantedErrors, WritesBehindItsWorkspace) {
  expect_caught("average", "overruns_workspace", "WRONG: memory behind the workspace");
}

TEST_F(PlantedErrors, RowsThatLieApartTakenForPackedOnes) {
  EXPECT_EQ(exit_status(run("average", "reads_packed_rows")), 0) << "here they are";
  expect_caught(run("average", "reads_packed_rows", {3}), "reads_packed_rows",
                "WRONG on witness data: [0][", 1);
  planted_runs = 0;
  expect_caught(run("average", "writes_packed_rows_later", {3}), "writes_packed_rows_later",
                "memory between the output's rows was overwritten, before row 1", 1);
}

/// What an error's message says besides that it is wrong; the default names the element.
std::string expected_words(const PlantedError& error, const Algorithm& algorithm) {
  const bool poison_shows = info(algorithm.default_type).floating;
  const std::string unwritten = poison_shows ? " was not written" : " differs from ";
  const std::map<std::string_view, std::string> words{
      {"idle", unwritten},
      {"unwritten", unwritten},
      {"stale", "WRONG in timed run 1: "},
      {"wrong_later", "WRONG in timed run 1: "},
      // A stream of chunks needs no extra run to find the number of runs per repetition.
      {"racing", algorithm.host_arrays ? "WRONG in timed run 3: " : "WRONG in timed run 2: "},
      {"one_element", "WRONG on witness data: "},
      {"kept", "WRONG"}, // where it shows depends on whether the variant has a workspace
      {"before", "WRONG: memory before the output was overwritten"},
      {"behind", "WRONG: memory behind the output was overwritten"},
      {"changes_input", "WRONG: the input "},
      {"changes_input_later", " was changed"}};
  const auto known = words.find(error.name);
  return known == words.end() ? "WRONG: " : known->second;
}

TEST_F(PlantedErrors, TheSelftestsAreRowsWithTheirReason) {
  for (const Algorithm& algorithm : algorithms())
    for (const PlantedError& error : planted_errors()) {
      if (error.harmless) continue;
      SCOPED_TRACE(std::string(algorithm.name) + ", " + std::string(error.name));
      const Planted planted = measure_planted(device(), algorithm, error);
      EXPECT_EQ(planted.unfit, "");
      const Measurement& m = planted.m;
      Results results;
      results.device = &device();
      RowResult& row = results.rows.emplace_back(); // a temporary makes gcc 12 warn without reason
      row.problem = {&algorithm, {1, 1, 1}, algorithm.default_type};
      row.name = std::string(error.name);
      row.native = m;
      expect_caught(results, std::string(error.name), expected_words(error, algorithm), 1);
    }
}

TEST_F(PlantedErrors, TheSelftestSaysWhatItCaught) {
  std::ostringstream out;
  EXPECT_EQ(selftest(out, device(), {find_algorithm("yax"), find_algorithm("transpose")}), 0);
  const std::string all = std::to_string(2 * (planted_errors().size() - 1));
  EXPECT_TRUE(contains(out.str(), "\n" + all + " of " + all + " planted errors caught"))
      << out.str();
  EXPECT_FALSE(contains(out.str(), "NOT")) << out.str();
  EXPECT_EQ(out.str().rfind("into     yax kokkos/tuned, transpose kokkos/tuned\n", 0), 0u)
      << out.str();
}

TEST_F(PlantedErrors, TheSelftestFailsWhereAnErrorPasses) {
  const std::vector<PlantedError> errors{{.name = "masked",
                                          .what = "one that does no harm",
                                          .run = [](PlantedRun& r) { r.compute(); }}};
  std::ostringstream out;
  EXPECT_EQ(selftest(out, device(), {find_algorithm("yax")}, errors), 1);
  EXPECT_TRUE(contains(out.str(), "one that does no harm  NOT CAUGHT")) << out.str();
  EXPECT_TRUE(contains(out.str(), "yax, masked: taken for a right result\n0 of 1 planted"))
      << out.str();
}

TEST_F(PlantedErrors, TheSelftestFailsWhereARightResultIsRefused) {
  const std::vector<PlantedError> errors{
      {.name = "none", .what = "(no error)", .run = [](PlantedRun&) {}, .harmless = true}};
  std::ostringstream out;
  EXPECT_EQ(selftest(out, device(), {find_algorithm("yax")}, errors), 1);
  EXPECT_TRUE(contains(out.str(), "(no error)  REFUSED")) << out.str();
  EXPECT_TRUE(contains(out.str(), "yax, none: WRONG")) << out.str();
}

TEST_F(PlantedErrors, AnErrorThatStopsTheVariantIsNotCaught) {
  const std::vector<PlantedError> errors{{.name = "throws",
                                          .what = "an exception",
                                          .run = [](PlantedRun&) { throw Error("thrown"); }}};
  std::ostringstream out;
  EXPECT_EQ(selftest(out, device(), {find_algorithm("yax")}, errors), 1);
  EXPECT_TRUE(contains(out.str(), "an exception  NOT RUN")) << out.str();
}

/// The rest needs arrays or pairs of variants that no option of the mini-app makes.
class PlantedPairs : public PlantedErrors {
protected:
  std::vector<Measurement> measure_on(const HostData& data, const std::vector<std::string>& names,
                                      std::size_t warmup = 1) {
    std::vector<const Variant*> all;
    for (const std::string& name : names)
      all.push_back(&planted(name));
    Workbench bench(device(), data, all.size());
    return measure(bench, data.problem(), all, {.reps = 4, .warmup = warmup});
  }
  /// A right variant with an error of --selftest planted in it.
  Measurement measure_planted_on(const HostData& data, std::string_view name) {
    const auto& errors = planted_errors();
    const auto error = std::find_if(errors.begin(), errors.end(),
                                    [&](const PlantedError& e) { return e.name == name; });
    const Algorithm& algorithm = *data.problem().algorithm;
    const Variant* right =
        find_variant(algorithm.name, "kokkos", algorithm.best_portable(), device().backend);
    const PlantedVariant variant(device(), *right, *error);
    Workbench bench(device(), data, 1);
    return measure(bench, data.problem(), {&variant.variant()}, {.reps = 4})[0];
  }
  static HostData average_data(const Placement& placement = {}) {
    HostData data({find_algorithm("average"), {3, 5, 100}, Type::f64}, placement);
    data.make(DataKind::uniform, 1);
    return data;
  }
};

TEST_F(PlantedPairs, WritesBetweenTheRows) {
  // The element after the first of two rows lies in the padding.
  const auto into_padding = [](const Call& call) {
    planted("within_the_bound").run(call);
    call.arrays[1].as<double>()[call.arrays[1].extent[1]] = 0;
  };
  Variant variant = planted("within_the_bound");
  variant.run = into_padding;
  const HostData data = average_data({.padding = 2});
  Workbench bench(device(), data, 1);
  const Measurement m = measure(bench, data.problem(), {&variant}, {.reps = 2})[0];
  EXPECT_EQ(m.failure, "WRONG: memory between the output's rows was overwritten, before row 1");
  EXPECT_TRUE(m.seconds.empty());
}

TEST_F(PlantedPairs, ReadsWhatAnotherVariantLeftInTheWorkspace) {
  const auto both = measure_on(average_data(), {"leaves_means", "lives_on_leftovers"});
  EXPECT_TRUE(both[0].verified()) << both[0].failure;
  EXPECT_EQ(both[1].failure.rfind("WRONG: [0][0] is nan", 0), 0u) << both[1].failure;
}

TEST_F(PlantedPairs, OneWithoutMemoryDoesNotHarmTheOther) {
  const auto both = measure_on(average_data(), {"leaves_means", "too_much_memory"});
  EXPECT_TRUE(both[0].verified()) << both[0].failure;
  EXPECT_EQ(both[0].seconds.size(), 4u);
  EXPECT_FALSE(both[1].verified());
}

TEST_F(PlantedPairs, AWrongOneDoesNotHarmTheOther) {
  const auto both = measure_on(average_data(), {"racing", "within_the_bound"});
  EXPECT_FALSE(both[0].verified());
  EXPECT_TRUE(both[1].verified()) << both[1].failure;
}

TEST_F(PlantedPairs, AnInputChangedInTheLastRun) {
  Variant variant = planted("within_the_bound");
  variant.run = [](const Call& call) {
    planted("within_the_bound").run(call); // two warm-up runs and four timed ones
    if (planted_runs == 6) call.arrays[0].as<double>()[3] += 1;
  };
  const HostData data = average_data();
  Workbench bench(device(), data, 1);
  const Measurement m = measure(bench, data.problem(), {&variant}, {.reps = 4})[0];
  EXPECT_EQ(m.failure, "WRONG in timed run 4: the input v was changed");
  EXPECT_TRUE(m.seconds.empty());
}

/// Bits that were right in one row are right in the next; other bits are checked there too.
TEST_F(PlantedPairs, ARightRowDoesNotExcuseAWrongOne) {
  const HostData data = average_data();
  Workbench bench(device(), data, 1);
  Variant variant = planted("within_the_bound");
  EXPECT_TRUE(measure(bench, data.problem(), {&variant}, {.reps = 4})[0].verified());
  EXPECT_TRUE(measure(bench, data.problem(), {&variant}, {.reps = 4})[0].verified());
  variant.run = [](const Call& call) {
    if (planted_runs == 4)
      ++planted_runs; // leaves the poison
    else
      planted("within_the_bound").run(call);
  };
  planted_runs = 0;
  const Measurement m = measure(bench, data.problem(), {&variant}, {.reps = 4})[0];
  EXPECT_FALSE(m.verified());
  EXPECT_EQ(m.failure.rfind("WRONG in timed run", 0), 0u) << m.failure;
}

TEST_F(PlantedPairs, WhoIsFirstInATurnIsDrawn) {
  static std::string order;
  order.clear();
  Variant a = planted("within_the_bound"), b = a;
  a.run = [](const Call& call) {
    planted("within_the_bound").run(call);
    order += 'A';
  };
  b.run = [](const Call& call) {
    planted("within_the_bound").run(call);
    order += 'B';
  };
  const HostData data = average_data();
  Workbench bench(device(), data, 2);
  measure(bench, data.problem(), {&a, &b}, {.reps = 40});
  ASSERT_EQ(order.substr(0, 4), "AABB") << "each twice to warm up";
  std::size_t a_first = 0, changes = 0;
  for (std::size_t turn = 4; turn < order.size(); turn += 2) {
    const std::string both = order.substr(turn, 2);
    ASSERT_TRUE(both == "AB" || both == "BA") << order;
    a_first += both == "AB" ? 1 : 0;
    changes += turn > 4 && both != order.substr(turn - 2, 2) ? 1 : 0;
  }
  EXPECT_GE(a_first, 10u) << order;
  EXPECT_LE(a_first, 30u) << order;
  EXPECT_GE(changes, 10u) << order;
  EXPECT_LE(changes, 30u) << "not in turn either: " << order;
}

TEST_F(PlantedPairs, OutputsWithOtherBitsAreCounted) {
  for (const std::size_t warmup : {1u, 2u}) { // the first timed run is even or odd
    const Measurement wavering = measure_on(average_data(), {"wavering"}, warmup)[0];
    EXPECT_TRUE(wavering.verified()) << wavering.failure;
    EXPECT_EQ(wavering.distinct_outputs, 2u);
  }
  EXPECT_EQ(measure_on(average_data(), {"within_the_bound"})[0].distinct_outputs, 1u);
}

/// Integers equal to one poison: a variant that writes nothing looks right once, but not twice.
TEST_F(PlantedPairs, NothingWrittenWhereThePoisonIsTheResult) {
  for (const int byte : {0xa5, 0x5a}) {
    HostData data({find_algorithm("transpose"), {8, 8, 1}, Type::i32});
    std::fill_n(static_cast<unsigned char*>(data.image(0)), data.image_bytes(0),
                static_cast<unsigned char>(byte));
    const Measurement m = measure_planted_on(data, "idle");
    EXPECT_FALSE(m.verified()) << byte;
    EXPECT_EQ(m.failure.rfind("WRONG", 0), 0u) << m.failure;
    EXPECT_TRUE(contains(m.failure, "b[0][0] differs from a[0][0]")) << m.failure;
    EXPECT_TRUE(m.seconds.empty());
  }
}

/// An input's NaNs have the bits of both poisons; where one belongs, it must not count as missing.
TEST_F(PlantedPairs, ANaNOfAnInputWithTheBitsOfAPoisonIsWritten) {
  for (const Type type : {Type::f32, Type::f64, Type::c64}) {
    HostData data({find_algorithm("transpose"), {9, 7, 1}, type});
    data.make(DataKind::uniform, 1);
    const std::size_t bytes = size_of(type);
    for (const unsigned turn : {0u, 1u}) {
      const std::uint64_t words[2] = {poison(type, turn), poison(type, turn)};
      std::memcpy(data.input(0).as<std::byte>() + (3 + turn) * bytes, words, bytes);
    }
    const Measurement none = measure_planted_on(data, "none");
    EXPECT_TRUE(none.verified()) << none.failure;
    EXPECT_FALSE(measure_planted_on(data, "unwritten").verified());
  }
}

TEST_F(PlantedPairs, NaNWithTheBitsOfThePoisonIsNotTakenForAResult) {
  // All means are NaN; only the payload tells the poison from them.
  HostData data = average_data();
  std::fill_n(data.input(0).as<double>(), 1500, std::nan(""));
  const Measurement m = measure_planted_on(data, "unwritten");
  EXPECT_EQ(m.failure, "WRONG in timed run 1: [2][4] was not written")
      << "the other poison was there before";
}

} // namespace
} // namespace ado::bench
