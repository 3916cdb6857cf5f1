// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices are what was asked for.
#include <ado/harness/device.hpp>

#include <gtest/gtest.h>

namespace ado {
namespace {

TEST(Device, HasTheThreadsThatWereAskedFor) {
  if (default_backend() != "openmp") GTEST_SKIP() << "only openmp takes a number of threads";
  EXPECT_EQ(open_device({"openmp", 1})->queue.threads, 1);
  EXPECT_NE(open_device({"openmp", 1})->description.find("1 thread"), std::string::npos);
}

} // namespace
} // namespace ado
