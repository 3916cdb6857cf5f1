// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens before a timed run, how many runs it holds, and how long they keep a GPU.
#include "described_device.hpp"
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

/// What the device and the variant below were asked to do.
std::vector<std::string> events;
std::vector<double> holds;

/// Host memory, and a clock on which a run takes 50 us, the very first 1 ms more, reading the clock
/// 30 us, and a launch of any number of runs 8 us.
class LoggingDevice : public DescribedDevice {
public:
  explicit LoggingDevice(std::size_t cache) : DescribedDevice(1, cache, std::size_t{1} << 30) {
    on_host = true;
  }
  DeviceMemory allocate(std::size_t bytes, const std::string& label) override {
    return allocate_on_host(bytes, label);
  }
  void copy_in(void* device, const void* host, std::size_t bytes) override {
    std::memcpy(device, host, bytes);
  }
  void copy_out(void* host, const void* device, std::size_t bytes) override {
    std::memcpy(host, device, bytes);
  }
  void fill(void* memory, std::size_t bytes, std::uint64_t pattern) override {
    std::fill_n(static_cast<std::uint64_t*>(memory), (bytes + 7) / 8, pattern);
  }
  Elapsed run_timed(const std::function<void()>& work, double hold) override {
    const bool first = holds.empty();
    events.emplace_back("timed");
    holds.push_back(hold);
    const std::size_t before = events.size();
    work();
    const auto runs = static_cast<double>(events.size() - before);
    return {(first ? 1e-3 : 0) + 30e-6 + runs * 50e-6, 8e-6};
  }
  void read_all(const double* data, std::size_t count, std::size_t, double* sums) override {
    events.push_back("read " + std::to_string(count * sizeof(double) >> 20) + " MiB");
    *sums = data[0] + data[count - 1];
  }
  std::size_t ceiling_result_bytes(std::size_t) const override { return sizeof(double); }
  void settle() override { events.emplace_back("settled"); }
};

/// The average of one vector.
Variant averaging() {
  return {.algorithm = "average",
          .name = "planted",
          .model = Model::openmp,
          .backend = host_backend,
          .types = real_types,
          .summary = "",
          .file = "",
          .run =
              [](const Call& call) {
                events.emplace_back("run");
                double sum = 0;
                for (std::size_t m = 0; m < call.shape[2]; ++m)
                  sum += call.arrays[0].as<const double>()[m];
                *call.arrays[1].as<double>() = sum / static_cast<double>(call.shape[2]);
              },
          .rounding_steps = [](const Shape& s, Type,
                               const Launch&) { return static_cast<double>(s[2]) + 1; }};
}

/// Times it twice; `events` holds the calls meanwhile.
Measurement measured(std::size_t cache, bool cold_cache, const Variant& variant = averaging()) {
  LoggingDevice device(cache);
  HostData data({find_algorithm("average"), {1, 1, 100}, Type::f64});
  data.make(DataKind::uniform, 7);
  Workbench bench(device, data, 1);
  events.clear();
  holds.clear();
  return measure(bench, data.problem(), {&variant}, {.reps = 2, .cold_cache = cold_cache})[0];
}

using Events = std::vector<std::string>;

// It may have work in flight on its own streams, in memory that the next one gets.
TEST(Failure, IsFollowedByAWaitForAllOfTheDevice) {
  Variant variant = averaging();
  variant.run = [](const Call&) { throw Error("planted"); };
  EXPECT_EQ(measured(1 << 20, false, variant).failure, "planted");
  EXPECT_EQ(events.back(), "settled");
  EXPECT_TRUE(measured(1 << 20, false).failure.empty());
  EXPECT_EQ(std::count(events.begin(), events.end(), "settled"), 0);
}

TEST(ColdCache, OtherDataAreReadBeforeEachTimedRunWhichIsOne) {
  const Measurement m = measured(std::size_t{48} << 20, true);
  EXPECT_TRUE(m.verified()) << m.failure;
  EXPECT_EQ(m.batch, 1u);
  EXPECT_EQ(events, (Events{"timed", "run", // the warm-up
                            "read 96 MiB", "timed", "run", "read 96 MiB", "timed", "run"}));
}

TEST(ColdCache, IsNotSmallWhereTheCacheIsNotKnown) {
  measured(0, true);
  EXPECT_EQ(std::count(events.begin(), events.end(), "read 64 MiB"), 2);
}

TEST(ColdCache, IsNoConcernWithoutTheOption) {
  const Measurement m = measured(std::size_t{48} << 20, false);
  EXPECT_TRUE(m.verified()) << m.failure;
  EXPECT_EQ(m.batch, 3u);
  EXPECT_EQ(std::count(events.begin(), events.end(), "timed"), 5);
  EXPECT_EQ(std::count(events.begin(), events.end(), "run"), 1 + 1 + 3 + 3 + 2 * 3);
}

// The very first run takes longer, because kernels are loaded then, and reading the clock takes
// time too: neither may make repetitions too short.
TEST(Batch, IsOfRunsThatTogetherTakeLongEnough) {
  const Measurement m = measured(0, false);
  for (const double seconds : m.seconds)
    EXPECT_GE(seconds * static_cast<double>(m.batch), 150e-6);
  EXPECT_EQ(events, (Events{"timed", "run", "timed", "run", "timed", "run", "run", "run", // found
                            "run", "run", "run", // each is checked
                            "timed", "run", "run", "run", "timed", "run", "run", "run"}));
}

TEST(Hold, LastsAsLongAsTheLaunchesAreExpectedToAndHalfAsLongAgain) {
  const Measurement m = measured(0, false);
  ASSERT_EQ(m.batch, 3u);
  // Launch time per run, as known before, times the number of runs.
  const std::vector<double> launches{0, 8e-6, 3 * 8e-6, 8e-6, 8e-6};
  ASSERT_EQ(holds.size(), launches.size());
  for (std::size_t k = 0; k < holds.size(); ++k)
    EXPECT_DOUBLE_EQ(holds[k], 1.5 * launches[k]) << k;
  EXPECT_EQ(m.host_seconds, (std::vector<double>{8e-6 / 3, 8e-6 / 3}));
}

} // namespace
} // namespace ado::bench
