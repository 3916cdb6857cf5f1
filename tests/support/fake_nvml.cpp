// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for NVIDIA's management library: one GPU at 0000:18:00.0. FAKE_NVML_REASONS sets the
// throttle bits; FAKE_NVML_FAILS makes the power and the PCIe width unknown. One of its 6 NVLinks
// is inactive.
#include <cstdlib>
#include <cstring>

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the names are those of NVIDIA's library
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  std::strncpy(version, "580.65.06", length);
  return std::getenv("FAKE_NVML_FAILS") == nullptr ? 0 : 3;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  *device = nullptr;
  return std::strcmp(address, "0000:18:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : type == 2 ? 3201 : 1;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 412500;
  return std::getenv("FAKE_NVML_FAILS") == nullptr ? 0 : 3;
}
int nvmlDeviceGetTemperature(void*, int sensor, unsigned* celsius) {
  *celsius = 61;
  return sensor;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  const char* text = std::getenv("FAKE_NVML_REASONS");
  *bits = text == nullptr ? 1 : std::strtoull(text, nullptr, 16);
  return 0;
}
int nvmlDeviceGetNvLinkState(void*, unsigned link, int* is_active) {
  *is_active = link == 2 ? 0 : 1;
  return link < 6 ? 0 : 2;
}
int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* generation) {
  *generation = 5;
  return 0;
}
int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* lanes) {
  *lanes = 16;
  return std::getenv("FAKE_NVML_FAILS") == nullptr ? 0 : 3;
}
// NOLINTEND(readability-identifier-naming)
}
