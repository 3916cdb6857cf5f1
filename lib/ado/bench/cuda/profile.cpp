// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cuda/check.hpp>
#include <ado/bench/cuda/profile.hpp>

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

namespace ado {

void run_profiled(const std::string& range, const std::function<void()>& work) {
  check_cuda(cudaProfilerStart(), "starting the profiler");
  nvtxRangePushA(range.c_str());
  try {
    work();
  } catch (...) {
    nvtxRangePop();
    static_cast<void>(cudaProfilerStop());
    throw;
  }
  nvtxRangePop();
  check_cuda(cudaProfilerStop(), "stopping the profiler");
}

} // namespace ado
