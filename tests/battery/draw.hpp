// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A case of the battery, drawn from its seed alone.
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

  /// An extent: log-uniform up to 2^17. Every tenth is 0 or 1, every third near a power of two, and
  /// every sixth short, because kernels share short rows among few lanes.
  std::size_t extent() {
    const std::size_t kind = below(30);
    if (kind < 3) return kind % 2;
    if (kind < 13) return (std::size_t{1} << below(13)) + below(3) - 1;
    if (kind < 18) return below(130);
    return std::size_t(std::exp2(std::uniform_real_distribution<double>(0, 17)(generator_)));
  }
  /// Elements of `bytes` bytes in the gap after the first `length` elements: none, any number, or
  /// as many as lead to a boundary of 16 bytes or of 256. At 16, kernels use wide accesses although
  /// `length` is no multiple of them.
  std::size_t gap(std::size_t length, std::size_t bytes, std::size_t kind) {
    const std::size_t wide = 16 / bytes, line = 256 / bytes;
    switch (kind) {
    case 0:
      return 0;
    case 1:
      return below(70);
    case 2:
      return (wide - length % wide) % wide + wide * below(9);
    default:
      return length == 0 ? wide * below(17) : (line - length % line) % line;
    }
  }
  static constexpr std::size_t gap_kinds = 4;
  std::size_t gap(std::size_t length, std::size_t bytes) {
    return gap(length, bytes, below(gap_kinds));
  }
  /// Extents of a problem with this many sizes. exceeds(extents, bits) says whether a problem is
  /// more than 2^bits times the usual size. Kernels change with the size of a problem, so sizes of
  /// up to `most_bits` are drawn, each step half as often as the one before: all sizes cost the
  /// same time. Large problems grow up to their limit. Some have many very short rows, or few long
  /// ones, because there are kernels for these. Some extents are multiples of a power of two, so
  /// that large tiles are whole.
  template <class Exceeds>
  std::array<std::size_t, 3> shape(std::size_t sizes, unsigned most_bits, const Exceeds& exceeds) {
    std::array<std::size_t, 3> shape{1, 1, 1};
    for (std::size_t k = 0; k < sizes; ++k)
      shape[k] = extent();
    unsigned bits = 0;
    while (bits < most_bits && one_in(2))
      ++bits;
    std::size_t growing = sizes;
    if (sizes > 1 && one_in(6)) {
      const bool are_short = one_in(2);
      shape[--growing] = are_short ? 1 + below(40) : 8192 + below(1 << 16);
      bits = std::min(most_bits, std::max(bits, are_short ? 5U : 2U));
    }
    while (bits > 0 && !exceeds(shape, bits)) {
      std::size_t& n = shape[below(growing)];
      n += n / 2 + 1;
    }
    while (exceeds(shape, bits)) {
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

/// What a case was and what was wrong; `wrong` is empty if nothing was.
struct Outcome {
  std::string what, wrong;
};

/// A registered variant on the instrument's arrays; a failing problem is made smaller while it
/// still fails.
Outcome run_registered(Draw& draw);
/// A public function on Views like a user's.
Outcome run_on_views(Draw& draw);

} // namespace battery
