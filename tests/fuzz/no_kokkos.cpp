// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fuzz build has no Kokkos and no OpenMP, whose runtimes no clang sanitizer knows. It has only
// the host's own variants, on one thread, and no texts for `explain`.
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/registry/variant.hpp>

extern "C" int omp_get_thread_num() { return 0; }

namespace ado::bench {

std::vector<std::string> backend_names() { return {std::string(host_backend)}; }
std::string kokkos_version() { return "none"; }
std::vector<std::string> explained_words() { return {"team"}; }

} // namespace ado::bench
