// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a case of the battery is made of, drawn from its seed alone.
#pragma once

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

  /// An extent: log-uniform up to 2^`most_bits`, with every tenth 0 or 1, every third around a power of two, and every
  /// sixth short, for there kernels share a row among few lanes.
  std::size_t extent(unsigned most_bits = 17) {
    const std::size_t kind = below(30);
    if (kind < 3) return kind % 2;
    if (kind < 13) return (std::size_t{1} << below(13)) + below(3) - 1;
    if (kind < 18) return below(130);
    return std::size_t(std::exp2(std::uniform_real_distribution<double>(0, most_bits)(generator_)));
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
