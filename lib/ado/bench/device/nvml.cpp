// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/nvml.hpp>

#include <dlfcn.h>

#include <utility>

namespace ado::bench {
namespace {

using Handle = struct nvmlDevice_st*; // nvmlDevice_t

/// What holds a clock down, except idling and a clock that somebody set.
std::string reasons(unsigned long long bits) {
  constexpr std::pair<unsigned long long, const char*> names[] = {
      {0x04, "power cap"},
      {0x08, "hardware slowdown"},
      {0x20, "thermal slowdown"},
      {0x40, "thermal slowdown by hardware"},
      {0x80, "power brake"}};
  std::string text;
  for (const auto& [bit, name] : names)
    if ((bits & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

} // namespace

/// As nvml.h declares them; all return 0 on success.
struct Nvml::Functions {
  void* library = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*device_at)(const char*, Handle*) = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;
  int (*throttle_reasons)(Handle, unsigned long long*) = nullptr;
  // These may be missing.
  int (*nvlink)(Handle, unsigned, int*) = nullptr;
  int (*pcie_generation)(Handle, unsigned*) = nullptr;
  int (*pcie_lanes)(Handle, unsigned*) = nullptr;

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
  bool find_all() {
    return find(init, "nvmlInit_v2") && find(shutdown, "nvmlShutdown") &&
           find(driver, "nvmlSystemGetDriverVersion") &&
           find(device_at, "nvmlDeviceGetHandleByPciBusId_v2") &&
           find(clock, "nvmlDeviceGetClockInfo") && find(power, "nvmlDeviceGetPowerUsage") &&
           find(temperature, "nvmlDeviceGetTemperature") &&
           (find(throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons") || // its newer name
            find(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons"));
  }
  void find_links() {
    find(nvlink, "nvmlDeviceGetNvLinkState");
    find(pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration"); // an idle link runs at a lower one
    find(pcie_lanes, "nvmlDeviceGetMaxPcieLinkWidth");
  }
};

Nvml::Nvml(const char* library) {
  Functions found;
  found.library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (found.library == nullptr) return;
  if (!found.find_all() || found.init() != 0) {
    dlclose(found.library);
    return;
  }
  found.find_links();
  functions_ = {new Functions(found), [](const Functions* f) {
                  f->shutdown();
                  dlclose(f->library);
                  delete f;
                }};
}

std::string Nvml::driver() const {
  char version[80] = ""; // size that NVIDIA's header asks for
  if (!functions_ || functions_->driver(version, sizeof version) != 0) return "";
  return version;
}

std::string Nvml::links(const std::string& pci_address) const {
  Handle device = nullptr;
  if (!functions_ || functions_->device_at(pci_address.c_str(), &device) != 0) return "";
  std::string text;
  if (functions_->nvlink != nullptr) {
    unsigned active = 0;
    int is_active = 0;
    for (unsigned link = 0; functions_->nvlink(device, link, &is_active) == 0; ++link)
      active += is_active != 0 ? 1 : 0;
    if (active != 0) text = std::to_string(active) + (active == 1 ? " NVLink" : " NVLinks");
  }
  unsigned generation = 0, lanes = 0;
  if (functions_->pcie_generation != nullptr && functions_->pcie_lanes != nullptr &&
      functions_->pcie_generation(device, &generation) == 0 &&
      functions_->pcie_lanes(device, &lanes) == 0)
    text += (text.empty() ? "PCIe " : ", PCIe ") + std::to_string(generation) + " x" +
            std::to_string(lanes);
  return text;
}

DeviceState Nvml::state(const std::string& pci_address) const {
  Handle device = nullptr;
  if (!functions_ || functions_->device_at(pci_address.c_str(), &device) != 0) return {};
  constexpr int multiprocessors = 1, memory = 2, of_the_gpu = 0;
  unsigned clock = 0, memory_clock = 0, milliwatts = 0, celsius = 0;
  unsigned long long bits = 0;
  const bool known = functions_->clock(device, multiprocessors, &clock) == 0 &&
                     functions_->clock(device, memory, &memory_clock) == 0 &&
                     functions_->power(device, &milliwatts) == 0 &&
                     functions_->temperature(device, of_the_gpu, &celsius) == 0 &&
                     functions_->throttle_reasons(device, &bits) == 0;
  if (!known) return {};
  return {true,
          static_cast<double>(clock),
          static_cast<double>(memory_clock),
          milliwatts / 1e3,
          static_cast<double>(celsius),
          reasons(bits)};
}

} // namespace ado::bench
