// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's management library, looked up at run time: a build needs neither it nor its header, and
// reading clocks, power and throttle reasons takes no privileges.
#pragma once

#include <ado/bench/device/device_state.hpp>

#include <memory>
#include <string>

namespace ado::bench {

class Nvml {
public:
  /// Nothing is known of any device if the library is missing or broken.
  explicit Nvml(const char* library = "libnvidia-ml.so.1");
  /// Of the GPU at that PCI address, "0000:18:00.0".
  DeviceState state(const std::string& pci_address) const;
  /// The driver's version, "580.65.06"; empty: unknown.
  std::string driver() const;
  /// What links that GPU to others and to the host: "18 NVLinks, PCIe 5 x16"; empty: unknown.
  std::string links(const std::string& pci_address) const;

private:
  struct Functions;
  std::shared_ptr<const Functions> functions_; ///< null: no library
};

} // namespace ado::bench
