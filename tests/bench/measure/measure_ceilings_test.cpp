// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ceiling counts exactly the work that the device was asked to do.
#include "described_device.hpp"
#include <ado/bench/measure/ceilings.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace ado::bench {
namespace {

/// Adds up what it is asked to move. Each run takes a microsecond.
class AskedDevice : public HostMemoryDevice {
public:
  std::size_t read = 0, cached = 0, written = 0, copied = 0, read_pieces = 0, updated_pieces = 0;
  int multiplied = 0;

  explicit AskedDevice(bool is_on_host) {
    memory_bytes = std::size_t{1} << 22;
    last_level_cache = std::size_t{1} << 18;
    on_host = is_on_host;
  }
  void read_all(const double*, std::size_t count, std::size_t period, double*) override {
    (period < count ? cached : read) += count;
    if (period < count) {
      EXPECT_EQ(period * sizeof(double), last_level_cache / 4);
    }
  }
  void write_all(double*, std::size_t count) override { written += count; }
  void copy_all(const double*, double*, std::size_t count) override { copied += count; }
  void read_scattered(const double*, std::size_t pieces, double*) override {
    read_pieces += pieces;
  }
  void update_scattered(double*, std::size_t pieces) override { updated_pieces += pieces; }
  double multiply_add(Type type, std::size_t, void*) override {
    ++multiplied;
    return type == Type::f32 ? 20 : 10;
  }
};

/// `rate`: of a run of one microsecond, one of several equal runs.
void expect_of_runs(std::size_t asked, double bytes_each, double rate, const char* what) {
  const double runs = static_cast<double>(asked) * bytes_each / (rate * 1e-6);
  EXPECT_GE(runs, 7 - 1e-9) << what;
  EXPECT_NEAR(runs, std::round(runs), 1e-9) << what;
}

TEST(MeasureCeilings, AreOfWorkThatTheDeviceWasAskedFor) {
  for (const bool on_host : {true, false}) {
    SCOPED_TRACE(on_host);
    AskedDevice device(on_host);
    const Ceilings c = measure_ceilings(device, {.scattered = true});
    expect_of_runs(device.read, 8, c.read, "read");
    expect_of_runs(device.cached, 8, c.cache_read, "read in the cache");
    expect_of_runs(device.written, 8, c.write, "write");
    expect_of_runs(device.copied, 16, c.copy, "copy");
    EXPECT_GE(device.multiplied, 14);
    EXPECT_DOUBLE_EQ(c.flops_f32, 20e6);
    EXPECT_DOUBLE_EQ(c.flops_f64, 10e6);
    if (on_host) continue;
    expect_of_runs(device.read_pieces, 64, c.scattered_read, "scattered read");
    expect_of_runs(device.updated_pieces, 64, c.scattered_update, "scattered update");
  }
}

} // namespace
} // namespace ado::bench
