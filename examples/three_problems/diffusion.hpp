// What the diffusion's problem and its variants share.
#pragma once
#include <ado/bench/bench.hpp>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define ON_DEVICE __host__ __device__
#else
#define ON_DEVICE
#endif

namespace diffusion {

/// A matrix whose rows lie `pitch` elements apart.
template <class T>
struct Grid {
  T* data;
  std::size_t pitch;
  ON_DEVICE T& at(std::size_t i, std::size_t j) const { return data[i * pitch + j]; }
};

/// Half of an element and an eighth of each neighbour. Elements on the edge stay as they are.
template <class T>
ON_DEVICE T after_a_step(const Grid<T>& u, std::size_t i, std::size_t j, std::size_t rows,
                         std::size_t cols) {
  if (i == 0 || j == 0 || i + 1 == rows || j + 1 == cols) return u.at(i, j);
  return u.at(i, j) / 2 +
         ((u.at(i - 1, j) + u.at(i + 1, j)) + (u.at(i, j - 1) + u.at(i, j + 1))) / 8;
}

/// Calls step(from, to) for each step. No step may write what it reads, so `to` alternates between
/// the workspace and b. It is b in the last step.
template <class T, class Step>
void for_each_step(const ado::bench::Call& call, const Step& step) {
  const ado::bench::Array &u = call.arrays[0], &b = call.arrays[1];
  const Grid<T> result{b.as<T>(), b.stride[0]};
  const Grid<T> other{static_cast<T*>(call.workspace), call.shape[1]};
  Grid<T> from{u.as<T>(), u.stride[0]};
  for (std::size_t left = call.shape[2]; left > 0; --left) {
    const Grid<T> to = left % 2 == 1 ? result : other;
    step(from, to);
    from = to;
  }
}

struct DiffusionVariant {
  static constexpr std::string_view algorithm = "diffusion";
  static constexpr ado::bench::TypeSet types = ado::bench::real_types;
  /// The longest path has three additions in each step. Halves and eighths are exact.
  static double rounding_steps(const ado::bench::Shape& s, ado::bench::Type) {
    return 3 * double(s[2]);
  }
  static std::size_t workspace_bytes(const ado::bench::Shape& s, ado::bench::Type type) {
    return s[0] * s[1] * ado::bench::size_of(type);
  }
};

} // namespace diffusion
