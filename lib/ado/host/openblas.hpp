// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenBLAS, and whose kernels it runs. A release that does not know the CPU falls back to kernels
// for an old one, without AVX; gemm is several times slower then (docs/lab/constants.md#shared).
#pragma once

#include <ado/registry/variant.hpp>

#include <strings.h>

#include <algorithm>
#include <array>
#include <string>

// Weak, so that a program without OpenBLAS links: Kokkos Kernels may call it or another BLAS.
extern "C" {
__attribute__((weak)) char* openblas_get_config();
__attribute__((weak)) char* openblas_get_corename();
}

namespace ado::bench {

/// Whether OpenBLAS' kernels for this CPU, by its name of it, do without AVX2: those of before
/// 2013.
inline bool lacks_avx2(const std::string& core) {
  constexpr std::array without{"Prescott", "Core2",       "Penryn",       "Dunnington",
                               "Nehalem",  "Sandybridge", "Atom",         "Nano",
                               "Athlon",   "Opteron",     "Opteron_SSE3", "Barcelona",
                               "Bobcat",   "Bulldozer",   "Piledriver",   "Steamroller"};
  return std::any_of(without.begin(), without.end(),
                     [&](const char* name) { return strcasecmp(name, core.c_str()) == 0; });
}

/// What there is to know of OpenBLAS before its time is read; nothing where the program has none.
inline Library openblas() {
  if (openblas_get_config == nullptr || openblas_get_corename == nullptr) return {};
  const std::string config = openblas_get_config(), core = openblas_get_corename();
  Library library{config.substr(0, config.find(' ', config.find(' ') + 1)) + ", kernels for " +
                  core};
#if defined(__x86_64__)
  if (lacks_avx2(core) && __builtin_cpu_supports("avx2"))
    library.caution = "OpenBLAS runs kernels for " + core +
                      ", which lack this CPU's AVX2: set OPENBLAS_CORETYPE=" +
                      (__builtin_cpu_supports("avx512vl") ? "SkylakeX" : "Haswell");
#endif
  return library;
}

} // namespace ado::bench
