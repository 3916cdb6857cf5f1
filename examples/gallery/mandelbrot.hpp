// What the Mandelbrot set's problem and its variants share.
#pragma once
#include "on_device.hpp"
#include <ado/bench/bench.hpp>

#include <cmath>
#include <cstdint>

namespace mandelbrot {

namespace bench = ado::bench;

/// A picture of the square from -2 - 1.25i to 0.5 + 1.25i.
struct Picture {
  std::int32_t* steps;
  std::size_t pitch, rows, cols;
  std::int32_t most;

  explicit Picture(const bench::Array& steps, std::size_t most)
      : steps(steps.as<std::int32_t>()),
        pitch(steps.stride[0]),
        rows(steps.extent[0]),
        cols(steps.extent[1]),
        most(std::int32_t(most)) {}

  /// Iterates z^2 + c until |z| > 2. Every product is part of a fused multiply-add or stands alone,
  /// so that no compiler may round otherwise than another, and all count the same steps.
  ON_DEVICE void compute(std::size_t i, std::size_t j) const {
    const double cx = std::fma(double(j), 2.5 / double(cols), -2.0);
    const double cy = std::fma(double(i), 2.5 / double(rows), -1.25);
    double x = 0, y = 0;
    std::int32_t k = 0;
    for (double yy = 0; k < most && std::fma(x, x, yy) <= 4; ++k) {
      const double next = std::fma(x, x, cx - yy);
      y = std::fma(2 * x, y, cy);
      x = next;
      yy = y * y;
    }
    steps[i * pitch + j] = k;
  }
};

struct Names {
  static constexpr std::string_view algorithm = "mandelbrot", name = "plain";
  static constexpr bench::TypeSet types{bench::Type::i32};
};

} // namespace mandelbrot
