// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/host_ceilings.hpp>
#include <ado/host/registers.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ado::bench {
namespace {

constexpr std::size_t line = 8; // doubles of a cache line

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

/// Stores one cache line; `to` is aligned to it.
void stream_line(double* to, const double* from) {
#ifdef __SSE2__
  for (std::size_t k = 0; k < line; k += 2)
    _mm_stream_pd(to + k, _mm_loadu_pd(from + k));
#else
  std::memcpy(to, from, line * sizeof(double));
#endif
}

void stream_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

} // namespace

void host_read(const double* data, std::size_t count, std::size_t period, double* result,
               int threads) {
  // Four streams 8 KiB apart: a core of an AMD EPYC (Zen 3) reads 25 GB/s this way, and 20 in one
  // stream. Partial sums fill eight AVX2 registers.
  using Register = detail::Register<double, 4>;
  constexpr std::size_t streams = 4, apart = 2048,
                        width = 8; // doubles: of a block's stream, of a step
  const std::size_t blocks = count / (streams * apart);
  const std::size_t mask = period < count ? period / (streams * apart) - 1 : ~std::size_t{0};
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int thread = 0; thread < threads; ++thread) {
    Register sums[streams][2] = {};
    const std::size_t first = blocks * thread / threads, last = blocks * (thread + 1) / threads;
    for (std::size_t block = first; block < last; ++block)
      for (std::size_t k = 0; k < apart; k += width)
#pragma GCC unroll 4
        for (std::size_t s = 0; s < streams; ++s) {
          const double* from = data + ((block & mask) * streams + s) * apart + k;
          Register low, high;
          std::memcpy(&low, from, sizeof low);
          std::memcpy(&high, from + 4, sizeof high);
          sums[s][0] += low;
          sums[s][1] += high;
        }
    for (std::size_t s = 1; s < streams; ++s)
      sums[0][0] += sums[s][0] + sums[s][1];
    result[thread] = sums[0][0][0] + sums[0][1][0];
  }
}

void host_write(double* to, std::size_t count, int threads) {
  alignas(64) static constexpr double values[line] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < count / line; ++k)
      stream_line(to + k * line, values);
    stream_fence();
  }
}

void host_copy(const double* from, double* to, std::size_t count, int threads) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < count / line; ++k)
      stream_line(to + k * line, from + k * line);
    stream_fence();
  }
}

template <class T>
double host_multiply_add(std::size_t length, T* result, int threads) {
  constexpr int lanes = register_bytes / sizeof(T);
  using Register = detail::Register<T, lanes>;
  constexpr int chains = 10; // latency of 4 or 5 on two units
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int thread = 0; thread < threads; ++thread) {
    Register x[chains];
    for (int c = 0; c < chains; ++c)
      x[c] = Register{} + static_cast<T>(thread + c);
    Register factor = {}; // with `Register{} + constant` nvcc 13.0 crashes
    factor += static_cast<T>(0.999);
    for (std::size_t k = 0; k < length; ++k)
#pragma GCC unroll 10
      for (int c = 0; c < chains; ++c)
        x[c] = x[c] * factor + factor;
    for (int c = 1; c < chains; ++c)
      x[0] += x[c];
    result[thread] = x[0][0];
  }
  return 2.0 * chains * lanes * static_cast<double>(length) * threads;
}
template double host_multiply_add(std::size_t, float*, int);
template double host_multiply_add(std::size_t, double*, int);

std::size_t host_last_level_cache() {
  std::size_t largest = 0;
  // The system knows this machine's share of the cache; the C library asks the processor, which may
  // count the caches of all its dies.
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) +
                       "/size");
    std::size_t size = 0;
    char unit = ' ';
    if (file >> size >> unit)
      largest = std::max(largest, size * (unit == 'M' ? 1024 * 1024 : unit == 'K' ? 1024 : 1));
  }
#ifdef _SC_LEVEL3_CACHE_SIZE
  for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (largest == 0) largest = static_cast<std::size_t>(std::max(0L, sysconf(level)));
#endif
  return largest;
}

} // namespace ado::bench
