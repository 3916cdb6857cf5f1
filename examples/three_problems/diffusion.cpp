// The problem: heat that spreads over a plate, some steps of it.
#include "diffusion.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace bench = ado::bench;

namespace diffusion {

namespace {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{"u", 2, {s[0], s[1], 1}}, {"b", 2, {s[0], s[1], 1}, true}};
}

// Each step reads and writes the plate.
bench::MovedBytes bytes(const bench::Shape& s, bench::Type type) {
  const double plate = double(s[0]) * double(s[1]) * double(bench::size_of(type));
  return {double(s[2]) * plate, double(s[2]) * plate};
}

double flops(const bench::Shape& s, bench::Type) {
  return 6 * double(s[0]) * double(s[1]) * double(s[2]);
}

// All steps in long double. No element gets larger than the largest at the start, and roundings
// are relative to that.
std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  using Plate = std::vector<long double>;
  Plate now(s[0] * s[1]), next = now;
  double largest = 0;
  bench::with_real_type(type, [&]<class T>(T) {
    for (std::size_t k = 0; k < now.size(); ++k) {
      const T value = in[0].as<const T>()[k / s[1] * in[0].stride[0] + k % s[1]];
      now[k] = static_cast<long double>(value);
      largest = std::fmax(largest, std::fabs(static_cast<double>(value)));
    }
  });
  for (std::size_t step = 0; step < s[2]; ++step) {
    const Grid<long double> from{now.data(), s[1]};
#pragma omp parallel for
    for (std::size_t k = 0; k < now.size(); ++k)
      next[k] = after_a_step(from, k / s[1], k % s[1], s[0], s[1]);
    std::swap(now, next);
  }
  const auto plate = std::make_shared<const Plate>(std::move(now));
  return bench::oracle_of_values(type, plate->size(), [plate, largest](std::size_t k) {
    return bench::ExactValue{(*plate)[k], largest};
  });
}

// A square plate, ten steps.
bench::Shape shape_of_size(std::size_t elements) {
  const auto side = static_cast<std::size_t>(std::sqrt(double(elements)));
  return {side, side, 10};
}

const bench::Registration registered{
    bench::Algorithm{.name = "diffusion",
                     .formula = "b = u after some steps u[i][j] / 2 + its four neighbours / 8",
                     .sizes = {{"rows"}, {"cols"}, {"steps"}},
                     .types = DiffusionVariant::types,
                     .default_type = bench::Type::f32,
                     .arrays = arrays,
                     .bytes = bytes,
                     .flops = flops,
                     .shape_of_size = shape_of_size,
                     .classic = {4096, 4096, 10},
                     .oracle = oracle,
                     .best = "plain"}};

} // namespace

} // namespace diffusion
