// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cuda/launches.hpp>

#ifndef ADO_HAVE_CUPTI

namespace ado::bench {

Launches trace_launches(const std::function<void()>&, const cudaDeviceProp&) {
  return {{}, "the CUDA toolkit of this build has no CUPTI"};
}

} // namespace ado::bench

#else

#include <ado/bench/cuda/occupancy.hpp>
#include <ado/bench/device/kernel_name.hpp>
#include <ado/core/error.hpp>

#include <cupti.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace ado::bench {
namespace {

/// All newer versions begin with the same fields: 9 in CUDA 12, 10 in CUDA 13.
using KernelRecord = CUpti_ActivityKernel8;

struct TracedKernel {
  std::uint32_t order = 0; ///< of the launch; records arrive as kernels end
  int carveout = -1;       ///< as for add_occupancy()
  LaunchFacts facts;
};

/// CUPTI hands records to plain functions, on a thread of its own.
std::mutex traced_mutex;
std::vector<TracedKernel> traced;

void keep(const KernelRecord& k) {
  TracedKernel kernel;
  kernel.order = k.correlationId;
  if (k.isSharedMemoryCarveoutRequested != 0) kernel.carveout = k.sharedMemoryCarveoutRequested;
  LaunchFacts& facts = kernel.facts;
  facts.kernel = readable_kernel_name(k.name);
  facts.grid = {k.gridX, k.gridY, k.gridZ};
  facts.block = {k.blockX, k.blockY, k.blockZ};
  facts.registers = k.registersPerThread;
  facts.static_shared_bytes = k.staticSharedMemory;
  facts.dynamic_shared_bytes = k.dynamicSharedMemory;
  facts.local_bytes = static_cast<int>(k.localMemoryPerThread);
  const std::lock_guard lock(traced_mutex);
  traced.push_back(std::move(kernel));
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* record_limit) {
  *size = std::size_t{1} << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *record_limit = 0; // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t filled) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, filled, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      keep(*reinterpret_cast<const KernelRecord*>(record));
  std::free(buffer);
}

void check(CUptiResult result) {
  if (result == CUPTI_SUCCESS) return;
  const char* name = "unknown error";
  cuptiGetResultString(result, &name);
  throw Error(std::string("CUPTI cannot trace kernels here: ") + name);
}

/// Traces while it lives.
class Tracing {
public:
  Tracing() {
    static const CUptiResult registered = cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    check(registered);
    check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  }
  ~Tracing() {
    cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityFlushAll(0); // returns once take_buffer() has had all
  }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
};

} // namespace

Launches trace_launches(const std::function<void()>& work, const cudaDeviceProp& device) {
  try {
    const Tracing tracing;
    traced.clear();
    work();
  } catch (const Error& error) {
    return {{}, error.what()};
  }
  std::sort(traced.begin(), traced.end(),
            [](const auto& a, const auto& b) { return a.order < b.order; });
  Launches launches;
  for (TracedKernel& kernel : traced) {
    add_occupancy(kernel.facts, device, kernel.carveout);
    launches.kernels.push_back(std::move(kernel.facts));
  }
  return launches;
}

} // namespace ado::bench

#endif
