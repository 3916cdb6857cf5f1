// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What run_cases() says of rows that it cannot run, what find_launches() asks, and what becomes of
// a refused launch.
#include "described_device.hpp"
#include "npy_files.hpp"
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace ado::bench {
namespace {

/// No machine has the memory for its arrays, and none is asked for it.
Problem huge() {
  constexpr std::size_t side = std::size_t{1} << 17;
  return {find_algorithm("average_mv"), {side, side, side}, Type::f32};
}

TEST(RunCases, AFailedRowKeepsWhatThePlanSaysOfIt) {
  DescribedDevice device(2, 1 << 20, 1 << 30);
  const Variant* variant = find_variant("average_mv", "kokkos", "coalesced", device.backend);
  ASSERT_NE(variant, nullptr);
  const Row row{.name = "coalesced, team 8",
                .portable = variant,
                .launch = {.team_size = 8, .league_size = 3, .stride = 2},
                .in_sweep = true};
  const Results results =
      run_cases(Options(), {{huge(), {}, {row}}}, device, device, {1e9, 1e9, 1e9, 1e9, 1e9, 1e-6});
  ASSERT_EQ(results.rows.size(), 1u);
  const RowResult& failed = results.rows[0];
  EXPECT_NE(failed.portable.failure.find("out of memory"), std::string::npos)
      << failed.portable.failure;
  EXPECT_EQ(failed.name, row.name);
  EXPECT_EQ(failed.launch.team_size, 8);
  EXPECT_EQ(failed.launch.league_size, 3);
  EXPECT_EQ(failed.launch.stride, 2);
  EXPECT_TRUE(failed.in_sweep);
  EXPECT_EQ(failed.no_native, "no hand-written variant");
  EXPECT_EQ(failed.native.failure, "");
}

TEST(RunCases, AFileThatIsGoneMeanwhileEndsTheRun) {
  DescribedDevice device(2, 1 << 20, 1 << 30);
  const Row row{.name = "serial", .native = find_variant("yax", "serial", "serial", "")};
  const Case c{{find_algorithm("yax"), {3, 5, 1}, Type::f32}, {{{"a", "gone.npy"}}, {}, {}}, {row}};
  EXPECT_THROW(run_cases(Options(), {c}, device, device, {}), InputError);
}

/// A device that counts the calls that it was asked about.
class AskedDevice : public DescribedDevice {
public:
  AskedDevice() : DescribedDevice(2, 1 << 20, 1 << 30) { on_host = false; }
  Launches launches_of(const std::function<void()>&) override {
    ++asked;
    return {{LaunchFacts()}, ""};
  }
  int asked = 0;
};

TEST(FindLaunches, AsksAGpuAboutWhatRanWell) {
  AskedDevice device;
  const HostData data({find_algorithm("yax"), {5, 7, 1}, Type::f32});
  Workbench bench(device, data, 2);
  const Variant variant{};
  std::vector<Measurement> measured(2);
  measured[0].variant = measured[1].variant = &variant;
  measured[0].failure = "wrong";
  device.on_host = true;
  const auto find = [&] {
    for (std::size_t slot = 0; slot < measured.size(); ++slot)
      find_launches(bench, slot, measured[slot]);
  };
  find();
  EXPECT_EQ(device.asked, 0) << "a host launches nothing";
  device.on_host = false;
  find();
  EXPECT_EQ(device.asked, 1);
  EXPECT_TRUE(measured[0].launches.kernels.empty());
  EXPECT_EQ(measured[1].launches.kernels.size(), 1u);
}

TEST(FindLaunches, OfAStreamAreThoseOfOneChunk) {
  class ThreeLaunches : public AskedDevice {
    Launches launches_of(const std::function<void()>&) override {
      return {std::vector<LaunchFacts>(3), ""};
    }
  } device;
  for (const auto& [algorithm, kernels] : {std::pair("pipeline", 1u), std::pair("yax", 3u)}) {
    const HostData data({find_algorithm(algorithm), {3, 5, 1}, Type::f32});
    Workbench bench(device, data, 1);
    std::vector<Measurement> measured(1);
    measured[0].variant = find_variant(algorithm, "serial", "serial", "");
    find_launches(bench, 0, measured[0]);
    EXPECT_EQ(measured[0].launches.kernels.size(), kernels) << algorithm;
  }
}

/// A GPU with little memory whose queue and host disagree about a run.
class StreamDevice : public DescribedDevice {
public:
  StreamDevice() : DescribedDevice(2, 1 << 20, 100) { on_host = false; }
  Elapsed run_timed(const std::function<void()>& work, double hold) override {
    work();
    held = std::max(held, hold);
    return {1e-6, 2e-6};
  }
  double held = 0;
};

TEST(HostArrays, AreTimedByTheHostRunByRunAndNeverOnTheDevice) {
  StreamDevice device;
  const Problem problem{find_algorithm("pipeline"), {3, 40, 2}, Type::f32};
  EXPECT_EQ(memory_shortage(problem, device), "") << "its arrays are not on the device";
  EXPECT_NE(memory_shortage({find_algorithm("yax"), {30, 40, 1}, Type::f32}, device), "");
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  Workbench bench(device, data, 1);
  const auto measured =
      measure(bench, problem, {find_variant("pipeline", "serial", "serial", "")}, {.reps = 3});
  EXPECT_EQ(measured[0].failure, "");
  EXPECT_TRUE(measured[0].verified());
  EXPECT_EQ(measured[0].seconds, std::vector<double>(3, 2e-6)) << "the host's time";
  EXPECT_EQ(measured[0].batch, 1u);
  EXPECT_EQ(device.held, 0);
  EXPECT_EQ(measured[0].with_transfers, 0);
}

TEST(Measure, AWrongRunInsideABatchIsSeen) {
  HostMemoryDevice device; // a batch has 1000 runs there
  OnDevice yax(device, "yax", {5, 7, 1});
  static int runs;
  static bool spoils;
  Variant variant = *find_variant("yax", "serial", "serial", "");
  variant.run = [](const Call& call) {
    find_variant("yax", "serial", "serial", "")->run(call);
    // The first run, a single one, and the last of each batch are right.
    if (spoils && ++runs % 1000 == 300) call.arrays[3].as<float>()[0] += 1;
  };
  for (const bool spoiled : {false, true}) {
    runs = 0;
    spoils = spoiled;
    const Measurement m = measure(yax.bench, yax.problem, {&variant}, {.reps = 3})[0];
    EXPECT_EQ(m.batch, 1000u);
    EXPECT_EQ(m.verified(), !spoiled);
    EXPECT_EQ(m.failure.rfind(spoiled ? "WRONG in run 97 of 1000 in a row: " : "", 0), 0u)
        << m.failure;
    EXPECT_EQ(m.seconds.size(), spoiled ? 0u : 3u);
  }
}

using WrittenOutputs = npy_files::NpyFixture;

TEST_F(WrittenOutputs, AreThoseThatWereVerified) {
  HostMemoryDevice device;
  Variant variant = *find_variant("pipeline", "serial", "serial", "");
  variant.run = [](const Call& call) {
    find_variant("pipeline", "serial", "serial", "")->run(call);
    if (call.stages != nullptr)
      call.arrays[2].as<float>()[0] = 1000; // in the run that nobody verifies
  };
  Options options;
  options.stop.reps = 1;
  options.stages = true;
  options.outputs = {{"result", path()}};
  const Case c{{find_algorithm("pipeline"), {3, 40, 2}, Type::f32},
               {},
               {{.name = "serial", .native = &variant}}};
  const Results results = run_cases(options, {c}, device, device, {1e9, 1e9, 1e9, 1e9, 1e9, 1e-6});
  ASSERT_TRUE(results.rows[0].native.verified()) << results.rows[0].native.failure;
  EXPECT_GT(results.rows[0].native.stages.elapsed, 0) << "the run was there";
  const NpyHeader header = read_npy_header(path());
  std::vector<float> written(header.bytes / sizeof(float));
  read_npy(path(), header, written.data());
  EXPECT_LT(written[0], 1000);
}

/// The number of finished rows if Ctrl-C comes in the run that records the stages: another process
/// measures that row again.
int rows_of_an_interrupted_run() {
  note_interrupts();
  HostMemoryDevice device;
  Variant variant = *find_variant("pipeline", "serial", "serial", "");
  variant.run = [](const Call& call) {
    find_variant("pipeline", "serial", "serial", "")->run(call);
    if (call.stages != nullptr) std::raise(SIGINT);
  };
  Options options;
  options.stop.reps = 1;
  options.stages = true;
  const Row row{.name = "serial", .native = &variant};
  const Case c{{find_algorithm("pipeline"), {3, 40, 2}, Type::f32}, {}, {row, row}};
  const Ceilings ceilings{1e9, 1e9, 1e9, 1e9, 1e9, 1e-6};
  return static_cast<int>(run_cases(options, {c}, device, device, ceilings).rows.size());
}

TEST(InterruptedStages, LeaveTheirRowToTheNextProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(rows_of_an_interrupted_run()), testing::ExitedWithCode(0), "");
}

/// A GPU that refuses every launch.
class RefusingDevice : public DescribedDevice {
public:
  RefusingDevice() : DescribedDevice(2, 1 << 20, 1 << 30) { on_host = false; }
  Elapsed run_timed(const std::function<void()>& work, double) override {
    work();
    return {1, 1};
  }
  void check_launch(std::string_view variant) override {
    throw Error("refused: " + std::string(variant));
  }
};

TEST(Measure, ARefusedLaunchIsTheFailureOfItsVariant) {
  RefusingDevice device;
  OnDevice yax(device, "yax", {5, 7, 1});
  Variant variant{};
  variant.name = "planted";
  variant.types = real_types;
  variant.run = [](const Call&) {};
  variant.rounding_steps = [](const Shape&, Type, const Launch&) { return 0.0; };
  const Measurement m = measure(yax.bench, yax.problem, {&variant}, {.reps = 1})[0];
  EXPECT_EQ(m.failure, "refused: planted");
  EXPECT_FALSE(m.ran) << "it is no wrong result";
  EXPECT_TRUE(m.seconds.empty());
}

} // namespace
} // namespace ado::bench
