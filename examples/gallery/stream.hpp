// The loops of STREAM (J. D. McCalpin, 1995), and what their variants share.
#pragma once
#include "on_device.hpp"
#include <ado/bench/bench.hpp>

namespace stream {

namespace bench = ado::bench;

constexpr int scalar = 3;

/// c[i] = of(a[i], b[i], scalar), for numbers or packs of them. A loop of one input ignores b.
/// `steps` is how often it rounds, without fused operations.
struct Copy {
  static constexpr std::string_view name = "copy", formula = "c[i] = a[i]";
  static constexpr int inputs = 1, steps = 0;
  template <class P>
  ON_DEVICE static P of(P a, P, P) {
    return a;
  }
};
struct Scale {
  static constexpr std::string_view name = "scale", formula = "c[i] = 3 a[i]";
  static constexpr int inputs = 1, steps = 1;
  template <class P>
  ON_DEVICE static P of(P a, P, P s) {
    return s * a;
  }
};
struct Add {
  static constexpr std::string_view name = "add", formula = "c[i] = a[i] + b[i]";
  static constexpr int inputs = 2, steps = 1;
  template <class P>
  ON_DEVICE static P of(P a, P b, P) {
    return a + b;
  }
};
struct Triad {
  static constexpr std::string_view name = "triad", formula = "c[i] = a[i] + 3 b[i]";
  static constexpr int inputs = 2, steps = 2;
  template <class P>
  ON_DEVICE static P of(P a, P b, P s) {
    return a + s * b;
  }
};

/// The arrays of a call; b is a where a loop has one input.
template <class Loop, class T>
struct Arrays {
  const T *a, *b;
  T* c;
  std::size_t n;

  explicit Arrays(const bench::Call& call)
      : Arrays(call.arrays[0], call.arrays[Loop::inputs - 1], call.arrays[Loop::inputs]) {}
  Arrays(const bench::Array& first, const bench::Array& second, const bench::Array& output)
      : a(first.as<const T>()), b(second.as<const T>()), c(output.as<T>()), n(output.extent[0]) {}
  ON_DEVICE void compute(std::size_t i) const { c[i] = Loop::of(a[i], b[i], T(scalar)); }
};

/// What all variants of a loop have in common.
template <class Loop>
struct Names {
  static constexpr std::string_view algorithm = Loop::name;
  static constexpr bench::TypeSet types = bench::real_types;
  static double rounding_steps(const bench::Shape&, bench::Type) { return Loop::steps; }
};

} // namespace stream
