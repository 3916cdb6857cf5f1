// What the bodies' problem and its variants share.
#pragma once
#include "on_device.hpp"
#include <ado/bench/bench.hpp>

#include <cmath>

namespace nbody {

namespace bench = ado::bench;

/// Bodies that touch would pull without limit, so no distance counts as less than its root.
constexpr double softening = 1e-2;

template <class T>
struct Vec {
  T x, y, z;
};

/// The pull of a body of mass `mass` at `there` on one at `here`.
template <class T>
ON_DEVICE Vec<T> pull(Vec<T> here, Vec<T> there, T mass) {
  const T x = there.x - here.x, y = there.y - here.y, z = there.z - here.z;
  const T squared = x * x + y * y + z * z + T(softening);
  const T factor = mass / (squared * std::sqrt(squared));
  return {factor * x, factor * y, factor * z};
}
template <class T>
ON_DEVICE void add(Vec<T>& sum, Vec<T> other) {
  sum.x += other.x;
  sum.y += other.y;
  sum.z += other.z;
}

/// A body is a row of four numbers, its place and its mass; so that a GPU reads it at once.
template <class T>
struct alignas(4 * sizeof(T)) Body {
  Vec<T> place;
  T mass;
};
template <class T>
struct Bodies {
  const Body<T>* bodies;
  T* pulls; ///< three for each body
  std::size_t n;

  explicit Bodies(const bench::Call& call)
      : bodies(call.arrays[0].as<const Body<T>>()),
        pulls(call.arrays[1].as<T>()),
        n(call.shape[0]) {}
  ON_DEVICE void set(std::size_t i, Vec<T> sum) const {
    pulls[3 * i] = sum.x;
    pulls[3 * i + 1] = sum.y;
    pulls[3 * i + 2] = sum.z;
  }
  /// The pull of all bodies on body i, one after the other.
  ON_DEVICE void compute(std::size_t i) const {
    Vec<T> sum{};
    const Vec<T> here = bodies[i].place;
    for (std::size_t k = 0; k < n; ++k)
      add(sum, pull(here, bodies[k].place, bodies[k].mass));
    set(i, sum);
  }
};

struct Names {
  static constexpr std::string_view algorithm = "nbody";
  static constexpr bench::TypeSet types = bench::real_types;
  /// n additions; and of the factor and the difference before them, less than 12.
  static double rounding_steps(const bench::Shape& s, bench::Type) { return double(s[0]) + 12; }
};

} // namespace nbody
