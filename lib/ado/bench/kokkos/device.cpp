// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution spaces of this program's Kokkos, as devices.
#include <ado/bench/kokkos/device.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

#ifdef KOKKOS_ENABLE_CUDA
template <>
std::unique_ptr<Device> make_device<Kokkos::Cuda>(const BackendSpec& spec); // cuda/device.cpp
#endif

std::string kokkos_version() {
  std::string version = std::to_string(KOKKOS_VERSION / 10000) + "." +
                        std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                        std::to_string(KOKKOS_VERSION % 100);
#if KOKKOS_VERSION >= 40699 && defined(KOKKOS_ENABLE_IMPL_VIEW_LEGACY)
  version += "-legacy"; // Views
#endif
  return version;
}

std::string default_backend() {
  std::string name;
  for_each_space([&]<class Exec>(std::string_view backend) {
    if (std::is_same_v<Exec, Kokkos::DefaultExecutionSpace>) name = backend;
  });
  return name;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names{default_backend()};
  for_each_space([&]<class Exec>(std::string_view backend) {
    if (backend != names.front()) names.emplace_back(backend);
  });
  return names;
}

std::unique_ptr<Device> open_device(const BackendSpec& spec) {
  std::unique_ptr<Device> device;
  for_each_space([&]<class Exec>(std::string_view backend) {
    if (backend == spec.name) device = make_device<Exec>(spec);
  });
  if (device) return device;
  std::string known;
  for (const std::string& name : backend_names())
    known += (known.empty() ? "" : ", ") + name;
  throw Error("no backend '" + spec.name + "' in this build; it has " + known);
}

} // namespace ado::bench
