// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each allocation on the GPU fails in turn: the error says which and how large, nothing is left on the
// device, and the next run is as if nothing had been. The linker puts the functions below in the place
// of CUDA's (--wrap); those of Kokkos' own that last are made by a first run, so that all that are
// counted are ado's.
#include "variant_test.hpp"
#include <ado/core/error.hpp>
#include <ado/harness/ceilings.hpp>
#include <ado/harness/session.hpp>
#include <ado/portable/workspace.hpp>

#include <cuda_runtime.h>

#include <string>

namespace {

/// The allocation that fails next, counted from 1; 0: none.
std::size_t failing = 0, counted = 0;

/// More than any device has: CUDA itself then fails, with the state that this leaves behind. Nothing is
/// asked for by Kokkos, for each launch of teams without scratch; that does not count.
std::size_t bytes_to_ask_for(std::size_t bytes) {
  return bytes != 0 && ++counted == failing ? std::size_t(1) << 60 : bytes;
}

} // namespace

extern "C" {
cudaError_t __real_cudaMalloc(void** memory, std::size_t bytes);
cudaError_t __real_cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t __real_cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags);

cudaError_t __wrap_cudaMalloc(void** memory, std::size_t bytes) {
  return __real_cudaMalloc(memory, bytes_to_ask_for(bytes));
}
cudaError_t __wrap_cudaMallocHost(void** memory, std::size_t bytes) {
  return __real_cudaMallocHost(memory, bytes_to_ask_for(bytes));
}
cudaError_t __wrap_cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  return __real_cudaHostAlloc(memory, bytes_to_ask_for(bytes), flags);
}
}

namespace ado {
namespace {

/// What the device has free, once it has done all that it was given.
std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return free;
}

struct Run {
  const char *algorithm, *variant;
  Sizes sizes;
};

void PrintTo(const Run& run, std::ostream* out) { *out << run.algorithm << " " << run.variant; }

class GpuFaults : public testing::TestWithParam<Run> {
protected:
  void SetUp() override {
    try {
      device_ = open_device({"cuda", 0});
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    options_.algorithms = {GetParam().algorithm};
    options_.variants = {GetParam().variant};
    options_.sizes = GetParam().sizes;
    options_.types = {Type::f32};
    options_.reps = 1;
    cases_ = plan_cases(options_, *device_);
  }

  /// The k-th allocation fails; 0: none.
  Results run(std::size_t k) {
    counted = 0;
    failing = k;
    Results results = run_cases(options_, cases_, *device_, *device_, Ceilings{1, 1, 1, 1, 1, 1});
    failing = 0;
    return results;
  }

  std::unique_ptr<Device> device_;
  Options options_;
  std::vector<Case> cases_;
};

void expect_all_verified(const Results& results) {
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_TRUE(results.rows[0].portable.verified()) << results.rows[0].portable.failure;
  EXPECT_TRUE(results.rows[0].native.verified()) << results.rows[0].native.failure;
}

TEST_P(GpuFaults, EachAllocationFailsInTurn) {
  expect_all_verified(run(0));
  const std::size_t before = free_bytes();
  expect_all_verified(run(0));
  ASSERT_GE(free_bytes(), before) << "a run without a failure leaves memory behind";
  const std::size_t allocations = counted;
  ASSERT_GE(allocations, 2u) << "an input and an output";
  for (std::size_t k = 1; k <= allocations; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k) + " of " + std::to_string(allocations));
    const Results results = run(k);
    ASSERT_EQ(results.rows.size(), 1u);
    std::string failures;
    for (const Measurement* m : {&results.rows[0].portable, &results.rows[0].native}) {
      EXPECT_TRUE(m->failure.empty() || m->seconds.empty());
      failures += m->failure + "\n";
    }
    EXPECT_NE(failures.find("out of memory: "), std::string::npos) << failures;
    // Kokkos' own, for a launch, say " B (label=".
    EXPECT_TRUE(failures.find(" bytes") != std::string::npos ||
                failures.find(" B (label=") != std::string::npos)
        << failures;
    EXPECT_NE(exit_status(results), 0);
    expect_all_verified(run(0));
    // More may be free: CUDA gives back what it keeps in reserve where an allocation fails.
    EXPECT_GE(free_bytes(), before) << "memory is left behind";
  }
}

INSTANTIATE_TEST_SUITE_P(
    , GpuFaults,
    testing::Values(Run{"average", "team", {{"sets", 7}, {"length", 33}, {"vectors", 5003}}},
                    Run{"average_mv", "team", {{"sets", 7}, {"length", 33}, {"vectors", 5003}}},
                    Run{"transpose", "team", {{"rows", 700}, {"cols", 1100}}},
                    Run{"vector_add", "team", {{"elements", 1000003}}},
                    Run{"yax", "team", {{"rows", 700}, {"cols", 1100}}},
                    Run{"pipeline", "overlapped", {{"chunks", 5}, {"chunk-elements", 200003}}},
                    Run{"pipeline", "malloc_in_loop", {{"chunks", 5}, {"chunk-elements", 200003}}}),
    [](const auto& instance) {
      return std::string(instance.param.algorithm) + "_" + instance.param.variant;
    });

TEST(GpuAllocations, OfCeilingsFailInTurn) {
  const auto device = open_device({"cuda", 0});
  const std::size_t before = free_bytes();
  for (std::size_t k = 1; k <= 5; ++k) {
    counted = 0;
    failing = k;
    EXPECT_THROW(measure_ceilings(*device, true), OutOfMemory) << "allocation " << k;
    failing = 0;
    EXPECT_GE(free_bytes(), before) << "allocation " << k;
  }
}

TEST(GpuAllocations, AWorkspaceSaysHowMuchItWanted) {
  constexpr std::size_t bytes = 3 << 20;
  Workspace<Kokkos::Cuda> workspace(16);
  const std::size_t before = free_bytes();
  counted = 0;
  failing = 1;
  try {
    workspace.reserve(bytes);
    ADD_FAILURE() << "there is memory";
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), bytes);
    EXPECT_NE(std::string(error.what()).find("ado::workspace"), std::string::npos) << error.what();
  }
  failing = 0;
  EXPECT_EQ(workspace.bytes(), 0u);
  EXPECT_GE(free_bytes(), before);
  workspace.reserve(bytes);
  EXPECT_EQ(workspace.bytes(), bytes);
}

} // namespace
} // namespace ado
