// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instrument's own kernels: poison, checksums, the device's limits.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>
#include <ado/portable/team_sums.hpp>
#include <ado/portable/variant.hpp>
#include <ado/registry/access_pattern.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::bench {

struct FillKernel {
  std::uint64_t* words;
  std::uint64_t pattern;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { words[i] = pattern; }
};

struct FlipKernel {
  std::uint64_t* words;
  std::uint64_t mask;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { words[i] ^= mask; }
};

/// Mixes each word with its place before adding it: sums commute, so threads may share the work.
/// Products have 32 bits, which CPUs have in SIMD registers. There each call handles `each` words
/// to keep the sum in such a register, too.
template <class Exec>
struct ChecksumKernel {
  static constexpr std::size_t each = runs_on_host<Exec> ? 4096 : 1;
  static constexpr std::uint64_t place_key = 0x9e3779b97f4a7c15u;
  const std::uint64_t* words;
  std::size_t count;
  KOKKOS_FUNCTION void operator()(std::size_t block, std::uint64_t& total) const {
    const std::size_t first = block * each, last = Kokkos::min(first + each, count);
    std::uint64_t sum = 0, key = first * place_key;
    for (std::size_t k = first; k < last; ++k, key += place_key) {
      const std::uint64_t mixed = words[k] ^ key;
      sum += words[k] + (mixed & 0xffffffffu) * (mixed >> 32);
    }
    total += sum;
  }
};

/// Sums rows of `length` doubles, each shared by neighbouring threads: the widest read there is.
/// `mask` selects the bits of a row's number that count.
template <class Exec>
struct ReadKernel {
  static constexpr int threads = team_threads<Exec>, lanes = vector_lanes<Exec>;
  static constexpr int rows_per_team = threads / lanes;
  const double* data;
  std::size_t length, rows, mask;
  double* sums;
  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * rows_per_team;
    const int thread = team.team_rank();
    double sum = 0;
    if (const std::size_t row = first + thread / lanes; row < rows)
      sum = lane_share<lanes>(thread % lanes, data + (row & mask) * length, length, true,
                              Identity<double>{});
    sum = row_sum<lanes, threads>(team, sum, scratch_of<double, threads>(team));
    if (const std::size_t row = first + thread / lanes; thread % lanes == 0 && row < rows)
      sums[row] = sum;
  }
};

struct WriteKernel {
  Pack<double>* to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = {1.0, 2.0}; }
};

inline constexpr std::size_t doubles_of_block = memory_block_bytes / sizeof(double);

/// Reads the first number of each block, with several loads in flight.
struct ScatteredReadKernel {
  static constexpr int at_once = 8;
  const double* data; ///< positive
  std::size_t items;  ///< work items; each reads blocks that far apart
  double* result;
  KOKKOS_FUNCTION void operator()(std::size_t item) const {
    double x[at_once], sum = 0;
    ADO_UNROLL
    for (int k = 0; k < at_once; ++k)
      x[k] = data[(item + k * items) * doubles_of_block];
    ADO_UNROLL
    for (int k = 0; k < at_once; ++k)
      sum += x[k];
    if (sum < 0) *result = sum; // never true; keeps the compiler from dropping the loads
  }
};

struct ScatteredUpdateKernel {
  double* to;
  KOKKOS_FUNCTION void operator()(std::size_t block) const { to[block * doubles_of_block] = 1; }
};

/// Chains of dependent multiply-adds, eight per work item so that they overlap.
template <class T>
struct MultiplyAddKernel {
  static constexpr int chains = 8;
  std::size_t length;
  T* result;
  KOKKOS_FUNCTION void operator()(std::size_t item) const {
    T x[chains];
    for (int c = 0; c < chains; ++c)
      x[c] = static_cast<T>(item + c);
    const T factor = static_cast<T>(0.999);
    for (std::size_t k = 0; k < length; ++k)
      for (int c = 0; c < chains; ++c)
        x[c] = x[c] * factor + factor;
    T sum = 0;
    for (int c = 0; c < chains; ++c)
      sum += x[c];
    result[item] = sum;
  }
};

struct NothingKernel {
  KOKKOS_FUNCTION void operator()(std::size_t) const {}
};

#ifdef KOKKOS_ENABLE_CUDA
struct HoldKernel {
  std::int64_t cycles;
  KOKKOS_FUNCTION void operator()(std::size_t) const {
    KOKKOS_IF_ON_DEVICE((const std::int64_t start = clock64(); while (clock64() - start < cycles);))
  }
};
#endif

} // namespace ado::bench
