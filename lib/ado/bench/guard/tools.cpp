// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/tools.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace ado::bench {
namespace {

const char* loaded_tool = nullptr;
constexpr const char* a_profiler = ", for a profiler or a sanitizer is loaded";

/// By ptrace: debuggers, strace.
bool is_traced() {
  char text[4096];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = read(file, text, sizeof text);
  close(file);
  const std::string_view status(text, length < 0 ? 0 : static_cast<std::size_t>(length));
  constexpr std::string_view name = "TracerPid:\t";
  const std::size_t at = status.find(name);
  return at != status.npos && status.substr(at + name.size(), 1) != "0";
}

} // namespace

bool has_sanitizer() {
  for (const char* name : {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"})
    if (dlsym(RTLD_DEFAULT, name) != nullptr) return true;
  return false;
}

void find_tools() {
  for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
    if (std::getenv(name) != nullptr) loaded_tool = a_profiler;
  if (has_sanitizer()) loaded_tool = a_profiler;
  // NVIDIA's tools (ncu, nsys, compute-sanitizer) and valgrind load libraries with such names.
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char* part : {"njection", "libsanitizer", "vgpreload"})
      if (line.find(part, line.rfind('/') + 1) != line.npos) loaded_tool = a_profiler;
}

const char* attached_tool() { return is_traced() ? ", for a debugger is attached" : loaded_tool; }

} // namespace ado::bench
