// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Kokkos tool: writes the names of regions and kernels to the file ADO_TOOL_OUTPUT, in order.
#include <cstdint>
#include <cstdlib>
#include <fstream>

namespace {

std::ofstream& output() {
  static std::ofstream file(std::getenv("ADO_TOOL_OUTPUT"));
  return file;
}
void write(const char* what, const char* name) { output() << what << ' ' << name << '\n'; }

} // namespace

// Kokkos looks up these names.
extern "C" {
void kokkosp_push_profile_region(const char* name) { write("begin", name); }
void kokkosp_pop_profile_region() { write("end", ""); }
void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t*) {
  write("kernel", name);
}
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t*) {
  write("kernel", name);
}
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t*) {
  write("kernel", name);
}
}
