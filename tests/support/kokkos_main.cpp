// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main() of the tests that need Kokkos. It initializes Kokkos when the first test is about to run,
// so a machine without a GPU can list the tests.
#include "lacks_its_gpu.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace {

class KokkosEnvironment : public testing::Environment {
  void SetUp() override {
    if (ado::bench::lacks_its_gpu())
      GTEST_SKIP() << "Kokkos is built for CUDA, and this machine has no GPU";
    Kokkos::initialize();
  }
  void TearDown() override {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  }
};

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new KokkosEnvironment); // GoogleTest owns it
  return RUN_ALL_TESTS();
}
