// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device does where its backend knows no better.
#include <ado/harness/device.hpp>
#include <ado/harness/host_memory.hpp>
#include <ado/harness/host_stages.hpp>

namespace ado {

DeviceMemory Device::allocate_staging(std::size_t bytes, const std::string& label) {
  return allocate_on_host(bytes, label);
}

StageTimes Device::stages_of(const std::function<void(StageRecorder&)>& work) {
  if (!on_host) return {{}, 0, "backend " + backend + " does not tell them"};
  HostStages stages;
  fence();
  const double start = stages.now();
  work(stages);
  fence();
  return stages.times(start, stages.now());
}

} // namespace ado
