// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device does if its backend has nothing better.
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/device/host_stages.hpp>
#include <ado/bench/guard/kernel_guard.hpp>

#include <algorithm>

namespace ado::bench {

std::string Device::fact(std::string_view name) const {
  for (const auto& [known, value] : facts)
    if (known == name) return value;
  return "";
}

std::size_t Device::beyond_cache() const {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const std::size_t most = (128 + 16 * static_cast<std::size_t>(queue.threads)) * mebibyte;
  return 4 * (on_host ? std::min(last_level_cache, most) : last_level_cache);
}

DeviceMemory Device::allocate_staging(std::size_t bytes, const std::string& label) {
  return allocate_on_host(bytes, label);
}

std::vector<Queue> Device::queues(std::size_t count) { return std::vector<Queue>(count, queue); }

void Device::copy_in_on(const Queue& on, void* device, const void* host, std::size_t pitch,
                        std::size_t bytes, std::size_t rows) {
  if (on_host) {
    fence();
    return host_copy_rows(device, bytes, host, pitch, bytes, rows, on.threads);
  }
  for (std::size_t row = 0; row < rows; ++row)
    copy_in(static_cast<std::byte*>(device) + row * bytes,
            static_cast<const std::byte*>(host) + row * pitch, bytes);
}

void Device::copy_out_on(const Queue& on, void* host, std::size_t pitch, const void* device,
                         std::size_t bytes, std::size_t rows) {
  if (on_host) {
    fence();
    return host_copy_rows(host, pitch, device, bytes, bytes, rows, on.threads);
  }
  for (std::size_t row = 0; row < rows; ++row)
    copy_out(static_cast<std::byte*>(host) + row * pitch,
             static_cast<const std::byte*>(device) + row * bytes, bytes);
}

void Device::fence_on(const Queue&) { fence(); }

void end_if_lost(Device& device) {
  if (const std::string why = device.lost(); !why.empty()) end_kernel(why);
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

} // namespace ado::bench
