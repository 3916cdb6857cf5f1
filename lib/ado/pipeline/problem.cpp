// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/pipeline/chunks.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>
#include <ado/registry/wide.hpp>

#include <cmath>

namespace ado::bench {

double pipeline_factor() { return 1; }

namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"raw", 2, {s[0], s[1], 1}},
          {"gain", 1, {s[0], 1, 1}},
          {"result", 2, {s[0], pipeline_results(s[1]), 1}, true}};
}

double flops(const Shape& s, Type) {
  const double chunks = double(s[0]), elements = double(s[1]), work = double(s[2]);
  return (2 * work + 1) * chunks * elements + chunks * elements;
}

/// 64 chunks, with so much work that a CPU's threads compute a chunk for as long as the link takes
/// for it, or longer.
Shape shape_of_size(std::size_t elements) {
  constexpr std::size_t chunks = 64, work = 64;
  return {chunks, std::max<std::size_t>(elements / chunks, 1), work};
}

std::vector<Shape> edge_shapes() {
  return {{0, 5, 3},      {0, 0, 0},    {1, 0, 3},   {3, 0, 0},     {1, 1, 0},    {1, 1, 1},
          {2, 1, 67},     {3, 2, 5},    {1, 15, 0},  {4, 15, 2},    {1, 16, 1},   {5, 16, 67},
          {2, 17, 0},     {6, 17, 3},   {3, 31, 8},  {7, 63, 5},    {2, 64, 1},   {4, 65, 67},
          {1, 127, 2},    {9, 255, 3},  {5, 257, 1}, {2, 1031, 67}, {3, 4099, 4}, {13, 1000, 7},
          {13, 16384, 2}, {3, 40009, 3}};
}

/// f(p) after `work` steps is p times the sum of z^k, k up to `work`.
double weight_of(std::size_t work) {
  const double z = pipeline_factor();
  if (z == 1) return static_cast<double>(work) + 1;
  return (1 - std::pow(z, static_cast<double>(work) + 1)) / (1 - z);
}

template <class T>
Expected expected_result(const T* raw, T gain, std::size_t count, double weight) {
  Accumulator<T> sum, weighted;
  double magnitude = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum.add_product(static_cast<double>(raw[i]), static_cast<double>(gain));
    magnitude += std::fabs(static_cast<double>(raw[i]) * static_cast<double>(gain));
  }
  weighted.add_product(weight, sum);
  return {weighted.high(), weighted.low(), weight * magnitude, weight * magnitude};
}

template <class T>
std::vector<Expected> expected_results(const Shape& s, const std::vector<Array>& inputs) {
  const Array &raw = inputs[0], &gain = inputs[1];
  const std::size_t results = pipeline_results(s[1]);
  const double weight = weight_of(s[2]);
  std::vector<Expected> expected(s[0] * results);
#pragma omp parallel for
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::size_t chunk = k / results, first = k % results * pipeline_group;
    expected[k] =
        expected_result(raw.as<const T>() + chunk * raw.stride[0] + first,
                        gain.as<const T>()[chunk], std::min(pipeline_group, s[1] - first), weight);
  }
  return expected;
}

std::unique_ptr<Oracle> oracle(Type type, const Shape& shape, const std::vector<Array>& inputs) {
  auto expected = with_real_type(
      type, [&](auto zero) { return expected_results<decltype(zero)>(shape, inputs); });
  const double terms = double(pipeline_group) * (double(shape[2]) + 1);
  return std::make_unique<SumOracle>(type, std::move(expected), terms, Roundings::alike);
}

/// An element becomes W + 1 times its product with the gain, step by step and exactly; sums of a
/// group lose less than a step.
std::optional<Witness> witness(const Shape& s, Type type) {
  const double weight = weight_of(s[2]);
  const double largest = std::floor(std::sqrt(1 / (weight * info(type).unit_roundoff)));
  if (pipeline_factor() != 1 || largest < 1) return std::nullopt;
  const double value = std::min(largest, 64.0);
  const bool exact =
      double(pipeline_group) * value * value * weight <= 1 / info(type).unit_roundoff;
  return Witness{value, weight, exact, true};
}

const Registration registered{Algorithm{
    .name = "pipeline",
    .formula = "result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c]); f(p): r = p, "
               "then W times r = r z + p",
    .sizes = {{"chunks"}, {"chunk-elements"}, {"work-per-element"}},
    .types = real_types,
    .default_type = Type::f32,
    .usual = false,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = shape_of_size,
    .classic = {64, std::size_t{1} << 22, 1024},
    .edge_shapes = edge_shapes,
    .oracle = oracle,
    .witness = witness,
    .host_arrays = true,
    .best = "overlapped",
    .ladder = {"serial", "malloc_in_loop", "explicit_sync", "static_buffers", "host_overlap",
               "async_pageable", "async_pinned", "overlapped"},
}};

} // namespace
} // namespace ado::bench
