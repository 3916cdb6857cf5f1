// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs on a device whose arrays the host cannot read and which offers only the minimum: it copies
// whole pieces, has one queue, and does not report its launches.
#include "described_device.hpp"
#include "streamed.hpp"
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/profile/profile.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace ado::bench {
namespace {

/// Records its copies.
class FarDevice : public HostMemoryDevice {
public:
  FarDevice() { on_host = false; }
  void copy_in(void* device, const void* host, std::size_t bytes) override {
    HostMemoryDevice::copy_in(device, host, bytes);
    copied_in.push_back(bytes);
  }
  void copy_out(void* host, const void* device, std::size_t bytes) override {
    HostMemoryDevice::copy_out(host, device, bytes);
    copied_out.push_back(bytes);
  }
  std::vector<std::size_t> copied_in, copied_out; ///< bytes of each copy
};

std::vector<unsigned char> random_bytes(std::size_t count) {
  std::mt19937 generator(5);
  std::vector<unsigned char> bytes(count);
  for (unsigned char& byte : bytes)
    byte = static_cast<unsigned char>(generator());
  return bytes;
}

TEST(FarDevice, CopiesRowsOneAfterAnother) {
  constexpr std::size_t rows = 5, bytes = 13, from_pitch = 17, to_pitch = 29;
  FarDevice device;
  const std::vector<unsigned char> from = random_bytes(rows * from_pitch);
  std::vector<unsigned char> packed(rows * bytes), to(rows * to_pitch, 0xa5);
  device.copy_in_on(device.queue, packed.data(), from.data(), from_pitch, bytes, rows);
  device.copy_out_on(device.queue, to.data(), to_pitch, packed.data(), bytes, rows);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < to_pitch; ++k)
      ASSERT_EQ(to[row * to_pitch + k], k < bytes ? from[row * from_pitch + k] : 0xa5)
          << "row " << row << ", byte " << k;
}

TEST(FarDevice, ARunWithTransfersCopiesEachInputInAndTheOutputOut) {
  FarDevice device;
  OnDevice yax(device, "yax", {11, 17, 1});
  auto& [problem, data, bench] = yax;
  const Variant& serial = *find_variant("yax", "serial", "serial", "");
  bench.prepare(serial, 0, 0);
  device.copied_in.clear();
  device.copied_out.clear();
  EXPECT_THROW(bench.host_output(0), std::logic_error) << "nothing was copied out yet";
  EXPECT_GT(bench.seconds_with_transfers(serial, 0), 0);
  ASSERT_EQ(device.copied_in.size(), data.input_count());
  for (std::size_t k = 0; k < data.input_count(); ++k)
    EXPECT_EQ(device.copied_in[k], data.image_bytes(k)) << "input " << k;
  EXPECT_EQ(device.copied_out.size(), 1u);
  const Check check = data.oracle().check(bench.host_output(0), bench.rounding_steps(serial, {}));
  EXPECT_TRUE(check.ok) << check.first_wrong;
  const Measurement m = measure(bench, problem, {&serial}, {.reps = 1})[0];
  EXPECT_TRUE(m.verified()) << m.failure;
  EXPECT_GT(m.with_transfers, 0) << "it is measured too";
}

TEST(FarDevice, DoesNotTellLaunches) {
  FarDevice device;
  const HostData data({find_algorithm("yax"), {5, 7, 1}, Type::f32});
  Workbench bench(device, data, 1);
  std::vector<Measurement> measured(1);
  measured[0].variant = find_variant("yax", "serial", "serial", "");
  find_launches(bench, 0, measured[0]);
  EXPECT_EQ(measured[0].failure, "");
  EXPECT_EQ(measured[0].launches.unknown_because,
            "backend " + device.backend + " does not tell them");
}

TEST(FarDevice, IsRightInSlicesAndBlocks) {
  for (const auto& [algorithm, cut] : {std::pair("yax", Cut{2}), std::pair("transpose", Cut{2}),
                                       std::pair("transpose", Cut{2, 0, true})}) {
    SCOPED_TRACE(algorithm + std::string(cut.blocks ? " in blocks" : ""));
    FarDevice device;
    const Problem problem{find_algorithm(algorithm), {11, 17, 1}, Type::f32};
    StreamedData data(device, problem, limits_of(problem, cut));
    data.load(DataKind::uniform, 3);
    ASSERT_GE(data.slices().count, 6u);
    StreamedBench bench(device, data, 1);
    const Variant& serial = *find_variant(algorithm, "serial", "serial", "");
    const Measurement m = measure(bench, problem, {&serial}, {.reps = 2})[0];
    EXPECT_EQ(m.failure, "");
    EXPECT_TRUE(m.verified());
    EXPECT_EQ(m.with_transfers, 0) << "each run is with transfers";
  }
}

TEST(FarDevice, ASampleOfAStreamIsItsFirstSlice) {
  FarDevice device;
  const Problem problem{find_algorithm("yax"), {11, 17, 1}, Type::f32};
  StreamedData data(device, problem, limits_of(problem, {2}));
  data.load(DataKind::uniform, 3);
  StreamedBench bench(device, data, 1);
  std::vector<float> first_of_y;
  const Around around(*find_variant("yax", "serial", "serial", ""), [&](const Call& call, int) {
    EXPECT_EQ(call.arrays[0].extent[0], 2u);
    first_of_y.push_back(*call.arrays[0].as<float>());
  });
  bench.run_sample(around.variant, 0, {});
  EXPECT_EQ(first_of_y, std::vector<float>{*data.in_memory().input(0).as<float>()});
}

TEST(FarDevice, ProfileSaysWhatToTypeForAGpuAndWhichTypeAVariantLacks) {
  FarDevice device;
  const Variant* serial = find_variant("transpose", "serial", "serial", "");
  Variant real_only = *serial;
  real_only.name = "real_only";
  real_only.types = real_types;
  const Case c{{find_algorithm("transpose"), {3, 5, 1}, Type::i8},
               {},
               {{.name = "serial", .native = serial}, {.name = "real_only", .native = &real_only}}};
  std::ostringstream out;
  EXPECT_EQ(profile_cases(out, Options(), {c}, device, "bin/miniapp"), 0);
  const std::string file = "transpose_serial_serial_i8";
  for (const std::string& part :
       {"  " + ncu_command("bin/miniapp", profile_arguments(c, c.rows[0], *serial, {}), file) +
            "\n",
        "  miniapp --ncu-csv " + file + ".csv --algorithm transpose\n",
        "  " + nsys_command("bin/miniapp", profile_arguments(c, c.rows[0], *serial, {}), file) +
            "\n",
        std::string("  ran once, verified\n"), std::string("  has no i8\n")})
    EXPECT_NE(out.str().find(part), std::string::npos) << part << "in\n" << out.str();
  const std::string no_gpu = "runs on the host: each case just runs once";
  EXPECT_EQ(out.str().find(no_gpu), std::string::npos) << out.str();
  device.on_host = true;
  profile_cases(out, Options(), {c}, device, "bin/miniapp");
  EXPECT_NE(out.str().find(no_gpu), std::string::npos) << out.str();
}

} // namespace
} // namespace ado::bench
