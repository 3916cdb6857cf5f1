// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cuda/occupancy.hpp>

#include <cuda_occupancy.h>

#include <array>
#include <utility>

namespace ado::bench {
namespace {

constexpr std::array<std::pair<unsigned, const char*>, 4> limits{{
    {OCC_LIMIT_REGISTERS, "registers"},
    {OCC_LIMIT_SHARED_MEMORY, "shared memory"},
    {OCC_LIMIT_WARPS, "block size"}, // no whole block fits in the rest
    {OCC_LIMIT_BLOCKS, "number of blocks"},
}};

} // namespace

void add_occupancy(LaunchFacts& facts, const cudaDeviceProp& device, int carveout) {
  const cudaOccDeviceProp properties(device);
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = device.maxThreadsPerBlock;
  kernel.numRegs = facts.registers;
  kernel.sharedSizeBytes = static_cast<std::size_t>(facts.static_shared_bytes);
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(facts.dynamic_shared_bytes);
  cudaOccDeviceState state;
  state.carveoutConfig = carveout;
  const int threads = facts.block[0] * facts.block[1] * facts.block[2];
  cudaOccResult result{};
  // The toolkit refuses GPUs newer than itself: their occupancy stays unknown.
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &kernel, &state, threads,
                                              kernel.maxDynamicSharedSizeBytes) != CUDA_OCC_SUCCESS)
    return;
  const int warps = (threads + device.warpSize - 1) / device.warpSize;
  facts.resident_warps = result.activeBlocksPerMultiprocessor * warps;
  facts.maximum_warps = device.maxThreadsPerMultiProcessor / device.warpSize;
  const double blocks = 1.0 * facts.grid[0] * facts.grid[1] * facts.grid[2];
  const int held = result.activeBlocksPerMultiprocessor * device.multiProcessorCount;
  if (held > 0) facts.waves = blocks / held;
  facts.limited_by.clear();
  if (facts.resident_warps == facts.maximum_warps) return;
  for (const auto& [bit, name] : limits)
    if ((result.limitingFactors & bit) != 0)
      facts.limited_by += (facts.limited_by.empty() ? "" : " and ") + std::string(name);
}

} // namespace ado::bench
