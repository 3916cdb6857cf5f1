// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/host_memory.hpp>
#include <ado/core/checks.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace ado::bench {

std::size_t available_host_memory() {
  std::size_t available = static_cast<std::size_t>(-1);
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, unit; meminfo >> key;) {
    std::size_t kibibytes = 0;
    if (!(meminfo >> kibibytes)) break;
    std::getline(meminfo, unit);
    if (key == "MemAvailable:") available = kibibytes * 1024;
  }
  std::ifstream limit_file("/sys/fs/cgroup/memory.max"), used_file("/sys/fs/cgroup/memory.current");
  std::size_t limit = 0, used = 0;
  if (limit_file >> limit && used_file >> used)
    available = std::min(available, limit > used ? limit - used : 0);
  return available;
}

namespace {

Pages pages_now = Pages::large;

std::string size_of_pages(Pages pages) {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled"); // always [madvise] never
  std::string mode;
  while (file >> mode && !mode.starts_with('[')) {
  }
  const bool are_large = mode == "[always]" || (mode == "[madvise]" && pages == Pages::large);
  return are_large ? "2 MiB" : "4 KiB";
}

} // namespace

void set_host_pages(Pages pages) { pages_now = pages; }

std::string host_pages_text() {
  const std::string here = size_of_pages(pages_now), of_views = size_of_pages(Pages::system);
  return here + (here == of_views ? "" : ", those of a View " + of_views);
}

DeviceMemory allocate_on_host(std::size_t bytes, const std::string& label) {
  // Systems promise memory that they do not have, and kill whoever touches it.
  constexpr std::size_t large = std::size_t(1) << 30;
  if (bytes >= large && bytes > available_host_memory()) throw OutOfMemory(label, bytes);
  constexpr std::size_t large_page = std::size_t(2) << 20;
  const bool in_large_pages = bytes >= large_page && pages_now == Pages::large;
  const std::size_t alignment = in_large_pages ? large_page : 256;
  if (bytes > static_cast<std::size_t>(-1) - alignment) throw OutOfMemory(label, bytes);
  const std::size_t rounded = std::max(round_up(bytes, alignment), alignment);
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw OutOfMemory(label, bytes);
  if (in_large_pages) madvise(memory, rounded, MADV_HUGEPAGE);
  return {memory, [](void* pointer) { std::free(pointer); }};
}

void host_fill(void* memory, std::size_t bytes, std::uint64_t pattern) {
  auto* words = static_cast<std::uint64_t*>(memory);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < bytes / 8; ++k)
    words[k] = pattern;
  std::memcpy(words + bytes / 8, &pattern, bytes % 8);
}

void host_flip(void* memory, std::size_t bytes, std::uint64_t mask) {
  auto* words = static_cast<std::uint64_t*>(memory);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < bytes / 8; ++k)
    words[k] ^= mask;
  auto* const rest = reinterpret_cast<unsigned char*>(words + bytes / 8);
  for (std::size_t k = 0; k < bytes % 8; ++k)
    rest[k] ^= static_cast<unsigned char>(mask >> (8 * k));
}

std::uint64_t host_checksum(const void* memory, std::size_t bytes) {
  constexpr std::uint64_t place_key = 0x9e3779b97f4a7c15u;
  constexpr std::size_t each = 4096; // words whose sum stays in a SIMD register
  const auto* words = static_cast<const std::uint64_t*>(memory);
  const std::size_t count = bytes / 8;
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t first = 0; first < count; first += each) {
    std::uint64_t of_block = 0, key = first * place_key;
    for (std::size_t k = first; k < std::min(first + each, count); ++k, key += place_key) {
      const std::uint64_t mixed = words[k] ^ key;
      of_block += words[k] + (mixed & 0xffffffffu) * (mixed >> 32);
    }
    sum += of_block;
  }
  std::uint64_t last = 0;
  std::memcpy(&last, words + count, bytes % 8);
  return sum + last * place_key;
}

void host_copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t bytes, std::size_t rows, [[maybe_unused]] int threads) {
  constexpr std::size_t piece = std::size_t{1} << 20; // of a long row, so that threads share it
  const std::size_t pieces = ceil_div(bytes, piece);
  const bool worth_waking = rows * bytes >= piece;
#pragma omp parallel for schedule(static) num_threads(threads) if (worth_waking)
  for (std::size_t k = 0; k < rows * pieces; ++k) {
    const std::size_t row = k / pieces, first = k % pieces * piece;
    std::memcpy(static_cast<std::byte*>(to) + row * to_pitch + first,
                static_cast<const std::byte*>(from) + row * from_pitch + first,
                std::min(piece, bytes - first));
  }
}

int host_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

double host_load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

} // namespace ado::bench
