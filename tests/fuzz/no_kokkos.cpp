// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fuzz build has no Kokkos, whose runtime no clang sanitizer knows: the host's own variants are all.
#include <ado/bench/device/device.hpp>
#include <ado/core/variant.hpp>

namespace ado {

std::vector<std::string> backend_names() { return {std::string(host_backend)}; }

} // namespace ado
