// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cuda/check.hpp>
#include <ado/bench/cuda/facts.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/io/number.hpp>

#include <cuda_runtime_api.h>

#include <cstdio>

namespace ado::bench {
namespace {

/// The architectures that nvcc compiled for: 900 for sm_90.
constexpr int built_for[] = {__CUDA_ARCH_LIST__};

constexpr const char* asking = "asking for the device's facts";

int attribute(cudaDeviceAttr name, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, name, device), asking);
  return value;
}

/// "13.0" for 13000.
std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// "GPU-6ab0...", as nvidia-smi writes it.
std::string uuid(const cudaUUID_t& id) {
  std::string text = "GPU";
  for (std::size_t k = 0; k < sizeof id.bytes; ++k) {
    char byte[3];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(id.bytes[k]));
    text += (k == 0 || k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "") + std::string(byte);
  }
  return text;
}

std::string architectures() {
  std::string text;
  for (const int architecture : built_for)
    text += (text.empty() ? "sm_" : ", sm_") + std::to_string(architecture / 10);
  return text;
}

} // namespace

std::vector<std::pair<std::string, std::string>> cuda_facts(int device) {
  const auto get = [&](cudaDeviceAttr name) { return attribute(name, device); };
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), asking);
  int driver = 0, runtime = 0;
  check_cuda(cudaDriverGetVersion(&driver), asking);
  check_cuda(cudaRuntimeGetVersion(&runtime), asking);
  return {
      {"compute capability",
       std::to_string(properties.major) + "." + std::to_string(properties.minor)},
      {"multiprocessors", std::to_string(properties.multiProcessorCount)},
      {"clock", number("%.2f GHz", get(cudaDevAttrClockRate) / 1e6)},
      {"L2", number("%.1f MB", properties.l2CacheSize / 1e6)},
      {"memory", number("%.1f GB, ", static_cast<double>(properties.totalGlobalMem) / 1e9) +
                     std::to_string(get(cudaDevAttrGlobalMemoryBusWidth)) + " bits at " +
                     number("%.2f GHz", get(cudaDevAttrMemoryClockRate) / 1e6)},
      {"CUDA driver", version(driver)},
      {"CUDA runtime", version(runtime)},
      {"built for", architectures()},
      {uuid_fact, uuid(properties.uuid)},
  };
}

} // namespace ado::bench
