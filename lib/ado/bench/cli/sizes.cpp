// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/sizes.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/io/exit_status.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace ado::bench {
namespace {

using Grows = std::array<bool, 3>;

/// The smallest shape not below `least` whose largest array has that many elements, with sides that
/// are multiples of 64 where they grow.
Shape enlarged(const Shape& least, const Grows& grows, const Algorithm& algorithm,
               std::size_t elements) {
  const auto larger = [&](std::size_t by) {
    Shape shape{1, 1, 1};
    for (std::size_t k = 0; k < algorithm.sizes.size(); ++k)
      shape[k] = grows[k] ? least[k] / 64 * 64 + 64 * by : least[k];
    return shape;
  };
  const auto is_enough = [&](std::size_t by) {
    std::size_t largest = 0;
    for (const ArraySpec& spec : algorithm.arrays(larger(by)))
      largest = std::max(largest, element_count(spec));
    return largest >= elements;
  };
  std::size_t by = 0, step = 1;
  while (!is_enough(by + step) && step < elements)
    step *= 2;
  for (; step > 0; step /= 2)
    if (!is_enough(by + step - 1)) by += step;
  return larger(by);
}

/// Elements of the largest array if all arrays have `elements` together and sides in the ratios of
/// `shape`.
std::size_t largest_array(const Algorithm& algorithm, const Shape& shape, std::size_t elements) {
  double largest = 0, all = 0;
  for (const ArraySpec& spec : algorithm.arrays(shape)) {
    largest = std::max(largest, static_cast<double>(element_count(spec)));
    all += static_cast<double>(element_count(spec));
  }
  return static_cast<std::size_t>(static_cast<double>(elements) * largest / all);
}

/// A shape whose largest array has about that many elements, as the algorithm chooses it, or with
/// equal sizes.
Shape about(const Algorithm& algorithm, std::size_t elements) {
  if (algorithm.shape_of_size != nullptr) return algorithm.shape_of_size(elements);
  return enlarged({64, 64, 64}, {true, true, true}, algorithm, elements);
}

/// So many elements, or half, a quarter, ... if operations grow faster than arrays, and about()
/// would make more than `most_flops` of them.
std::size_t fewer_elements(const Algorithm& algorithm, Type type, std::size_t elements,
                           double most_flops) {
  if (algorithm.flops == nullptr) return elements;
  const auto flops = [&](std::size_t n) { return algorithm.flops(about(algorithm, n), type); };
  const auto per_byte = [&](std::size_t n) {
    const MovedBytes bytes = bytes_of_arrays(algorithm, about(algorithm, n), type);
    return flops(n) / (bytes.read + bytes.written);
  };
  const auto is_fixed = [&](std::size_t n) {
    return about(algorithm, n) == about(algorithm, n / 2);
  };
  while (elements > 1 && flops(elements) > most_flops &&
         (is_fixed(elements) || per_byte(elements) > 1.4 * per_byte(elements / 4)))
    elements /= 2;
  return elements;
}

/// What plain code does in about a second.
double flops_of_a_second(const Device& device) {
  return device.on_host ? 1e9 * device.queue.threads : 2e11;
}

} // namespace

Shape default_shape(const Algorithm& of_run, Type type, const Device& device) {
  // Each rank gets as much as a single process would.
  const Algorithm& algorithm = of_run.of_all();
  const std::size_t ranks_of_run = std::max<std::size_t>(1, device.ranks.size());
  constexpr std::size_t mebibyte = std::size_t(1) << 20;
  const auto threads = static_cast<std::size_t>(device.queue.threads);
  std::size_t bytes = device.beyond_cache();
  if (device.on_host)
    bytes = std::max(bytes, std::min(64 * threads, std::size_t(1024)) * mebibyte);
  else
    bytes *= 4; // long enough to measure the kernel, not its launch
  // Free memory varies a little between runs; its power of two seldom does.
  bytes = std::min(bytes, std::bit_floor(device.memory_bytes) / 8);
  std::size_t elements = bytes / size_of(type) * ranks_of_run;
  elements = largest_array(algorithm, about(algorithm, elements), elements);
  elements = fewer_elements(algorithm, type, elements,
                            flops_of_a_second(device) * static_cast<double>(ranks_of_run));
  // Small sizes, and those that more elements do not change, are the algorithm's choice.
  const Shape least = about(algorithm, elements), of_more = about(algorithm, 4 * elements);
  Grows grows;
  for (std::size_t k = 0; k < grows.size(); ++k)
    grows[k] = least[k] >= 64 && least[k] != of_more[k];
  // Columns a power of two apart share the same cache sets.
  const auto is_power = [](std::size_t n) { return n >= 512 && std::has_single_bit(n); };
  const auto has_a_power = [&](const Shape& shape) {
    for (std::size_t k = 0; k < grows.size(); ++k)
      if (grows[k] && is_power(shape[k])) return true;
    return false;
  };
  Shape shape;
  do {
    shape = enlarged(least, grows, algorithm, elements);
    elements += elements / 64 + 1;
  } while (has_a_power(shape));
  return shape;
}

Shape shape_of(const SizeSet& set, const Algorithm& algorithm, Type type) {
  if (set.bytes > 0)
    return about(algorithm,
                 fewer_elements(algorithm, type, set.bytes / size_of(type), set.most_flops));
  if (algorithm.classic[0] == 0)
    throw UsageError("--sizes " + std::string(set.name) + ": " + std::string(algorithm.name) +
                     " has none; write small or large");
  return algorithm.classic;
}

} // namespace ado::bench
