// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each allocation on the GPU fails in turn: the error says which and how large, nothing is left on
// the device, and the next run is as if nothing had happened. The linker replaces CUDA's functions
// by those below (--wrap). A first run makes Kokkos' own lasting allocations, so all that are
// counted are ado's.
#include "failing_allocations.hpp"
#include <ado/bench/measure/ceilings.hpp>
#include <ado/core/error.hpp>
#include <ado/portable/workspace.hpp>

#include <cuda_runtime.h>

#include <string>

namespace {

/// More than any device has, so that CUDA itself fails, with all consequences. Kokkos asks for 0
/// bytes in each launch of teams without scratch; that does not count.
std::size_t bytes_to_ask_for(std::size_t bytes) {
  return bytes != 0 && ado::bench::FailingAllocation::is_next() ? std::size_t(1) << 60 : bytes;
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

namespace ado::bench {
namespace {

/// Device memory in use, after the device has finished its work.
std::size_t bytes_in_use() {
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return total - free;
}

struct Run {
  const char *algorithm, *variant;
  Sizes sizes;
};

void PrintTo(const Run& run, std::ostream* out) { *out << run.algorithm << " " << run.variant; }

class GpuFaults : public FailingAllocations, public testing::WithParamInterface<Run> {};

TEST_P(GpuFaults, EachAllocationFailsInTurn) {
  std::unique_ptr<Device> device;
  try {
    device = open_device({"cuda", 0});
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  options_.algorithms = {GetParam().algorithm};
  options_.variants = {GetParam().variant};
  options_.sizes = GetParam().sizes;
  options_.types = {Type::f32};
  plan(std::move(device));
  // Less may be in use than before: when an allocation fails, CUDA gives back its reserve.
  constexpr std::size_t input_and_output = 2, smallest_leak = 1;
  fail_each(input_and_output, bytes_in_use, smallest_leak);
}

INSTANTIATE_TEST_SUITE_P(
    , GpuFaults,
    testing::Values(Run{"average", "tuned", {{"sets", 7}, {"length", 33}, {"vectors", 5003}}},
                    Run{"average_mv", "tuned", {{"sets", 7}, {"length", 33}, {"vectors", 5003}}},
                    Run{"transpose", "tuned", {{"rows", 700}, {"cols", 1100}}},
                    Run{"vector_add", "tuned", {{"elements", 1000003}}},
                    Run{"yax", "tuned", {{"rows", 700}, {"cols", 1100}}},
                    Run{"pipeline", "overlapped", {{"chunks", 5}, {"chunk-elements", 200003}}},
                    Run{"pipeline", "malloc_in_loop", {{"chunks", 5}, {"chunk-elements", 200003}}}),
    [](const auto& instance) {
      return std::string(instance.param.algorithm) + "_" + instance.param.variant;
    });

TEST(GpuAllocations, OfCeilingsFailInTurn) {
  const auto device = open_device({"cuda", 0});
  const std::size_t before = bytes_in_use();
  for (std::size_t k = 1; k <= 5; ++k) {
    const FailingAllocation fault(k);
    EXPECT_THROW(measure_ceilings(*device, {.link = true, .scattered = true}), OutOfMemory)
        << "allocation " << k;
    EXPECT_LE(bytes_in_use(), before) << "allocation " << k;
  }
}

TEST(GpuAllocations, AWorkspaceSaysHowMuchItWanted) {
  constexpr std::size_t bytes = 3 << 20;
  Workspace<Kokkos::Cuda> workspace(16);
  const std::size_t before = bytes_in_use();
  try {
    const FailingAllocation fault(1);
    workspace.reserve(bytes);
    ADD_FAILURE() << "there is memory";
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), bytes);
    EXPECT_NE(std::string(error.what()).find("ado::workspace"), std::string::npos) << error.what();
  }
  EXPECT_EQ(workspace.bytes(), 0u);
  EXPECT_LE(bytes_in_use(), before);
  workspace.reserve(bytes);
  EXPECT_EQ(workspace.bytes(), bytes);
}

} // namespace
} // namespace ado::bench
