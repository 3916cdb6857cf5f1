// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a case of the battery is made of, drawn from its seed alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace battery {

class Draw {
public:
  Draw(std::uint64_t seed, std::uint64_t index) {
    std::seed_seq words{seed, seed >> 32, index, index >> 32};
    generator_.seed(words);
  }

  std::size_t below(std::size_t end) { return std::size_t(generator_() % end); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  /// An extent: log-uniform up to 2^17, with every tenth 0 or 1, every third around a power of two, and every
  /// sixth short, for there kernels share a row among few lanes.
  std::size_t extent() {
    const std::size_t kind = below(30);
    if (kind < 3) return kind % 2;
    if (kind < 13) return (std::size_t{1} << below(13)) + below(3) - 1;
    if (kind < 18) return below(130);
    return std::size_t(std::exp2(std::uniform_real_distribution<double>(0, 17)(generator_)));
  }
  /// Elements of `bytes` behind the first `length` of them, before what comes next: none, any number, or what brings it
  /// to a boundary of 16 bytes, where kernels take wide accesses although `length` is no multiple of these.
  std::size_t gap(std::size_t length, std::size_t bytes) {
    const std::size_t wide = 16 / bytes;
    switch (below(3)) {
    case 0:
      return 0;
    case 1:
      return below(70);
    default:
      return (wide - length % wide) % wide + wide * below(9);
    }
  }
  /// So many bits by which a problem may be larger than most, each half as often: kernels change with the size of a
  /// problem, and so each size costs the same time.
  unsigned more_bits(unsigned most) {
    unsigned bits = 0;
    while (bits < most && one_in(2))
      ++bits;
    return bits;
  }
  /// Extents of a problem with so many that exceeds nothing; with `large` as large as it may be, often of short rows, for
  /// there are kernels for these. Sometimes multiples of a power of two, so that large tiles are whole.
  template <class Exceeds>
  std::array<std::size_t, 3> shape(std::size_t sizes, bool large, const Exceeds& exceeds) {
    std::array<std::size_t, 3> shape{1, 1, 1};
    for (std::size_t k = 0; k < sizes; ++k)
      shape[k] = extent();
    std::size_t growing = sizes;
    if (large && sizes > 1 && one_in(6)) shape[--growing] = 1 + below(40);
    while (large && !exceeds(shape)) {
      std::size_t& n = shape[below(growing)];
      n += n / 2 + 1;
    }
    while (exceeds(shape)) {
      std::size_t& largest = *std::ranges::max_element(shape);
      largest -= largest / 3 + 1;
    }
    if (one_in(4))
      for (const std::size_t unit = std::size_t{1} << below(9); std::size_t & n : shape)
        if (n > unit) n -= n % unit;
    return shape;
  }
  std::uint64_t word() { return generator_(); }

private:
  std::mt19937_64 generator_;
};

/// What a case was, and what was wrong; nothing where `wrong` is empty.
struct Outcome {
  std::string what, wrong;
};

/// A registered variant on arrays as the instrument makes them, or on a smaller problem where that fails too.
Outcome run_registered(Draw& draw);
/// A public function on Views as users have them.
Outcome run_on_views(Draw& draw);

} // namespace battery
