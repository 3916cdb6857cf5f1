// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem, its inputs in host memory, and what is right.
#pragma once

#include <ado/bench/data/array_image.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/registry/algorithm.hpp>
#include <ado/registry/variant.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ado::bench {

/// An algorithm at one size and type.
struct Problem {
  const Algorithm* algorithm;
  Shape shape;
  Type type;
  std::size_t row_padding = 0; ///< elements between the rows of every array

  /// This rank's part of several, if that is a problem of its own.
  std::optional<Part> part() const { return algorithm->part_of(shape); }
  /// The shape that variants get.
  Shape given_shape() const {
    Shape given = shape;
    if (const auto own = part()) given[0] = own->count;
    return given;
  }
  std::vector<ArraySpec> outputs() const {
    std::vector<ArraySpec> specs = algorithm->arrays(shape);
    specs.erase(specs.begin(), specs.begin() + static_cast<std::ptrdiff_t>(input_count(specs)));
    return specs;
  }
};

/// Why the variant does not run this problem, through no fault of its own; empty: it does.
std::string why_skipped(const Problem& problem, const Variant& variant);

/// Bytes of all its arrays, without padding between rows.
double working_set(const Problem& problem);

/// Allocates the memory of an input.
using InputAllocator =
    std::function<DeviceMemory(std::size_t index, std::size_t bytes, const std::string& label)>;

/// Inputs in host memory and what follows from them.
class HostData {
public:
  /// Allocates the inputs uninitialized. Throws InvalidArgument if sizes overflow, OutOfMemory.
  explicit HostData(const Problem& problem);
  HostData(const Problem& problem, const Placements& placements);
  /// The same in other memory; an input for which `allocate` returns null has no data.
  HostData(const Problem& problem, const Placements& placements, const InputAllocator& allocate);

  const Problem& problem() const { return problem_; }
  const std::vector<ArraySpec>& specs() const { return specs_; } ///< outputs last
  std::size_t input_count() const { return ado::bench::input_count(specs_); }
  const Array& input(std::size_t k) const { return arrays_[k]; }
  /// The whole allocation of input k, padding included.
  void* image(std::size_t k) const { return images_[k].get(); }
  std::size_t image_bytes(std::size_t k) const { return image_bytes_[k]; }
  const Placements& placements() const { return placements_; }

  /// Fills every input, padding included, with made data or by its own `fill`.
  void make(DataKind kind, std::uint64_t seed);
  /// The same with witness data for this problem.
  void make(const Witness& witness, std::uint64_t seed);
  /// Random numbers with an extreme at an end of each row.
  void make_with_extremes(std::uint64_t seed);
  /// Reads an input from a file. Throws InputError.
  void read(std::size_t k, const std::string& path, const NpyHeader& header);
  /// What in the data would lead a kernel astray; empty: nothing.
  std::string mistake() const;
  /// Throws InputError with the mistake of data from files.
  void check() const;
  /// Whether all inputs are as make() left them.
  bool is_random() const { return random_; }
  /// The expected output, built at the first call from the inputs as they are then.
  const Oracle& oracle() const;

private:
  /// Calls made(k, type, to, count, first) for every input without a `fill` of its own, padding
  /// included; if a rank has several runs of it, once for each. `first` is the place in the whole
  /// array's allocation.
  template <class Made>
  void fill(std::uint64_t seed, const Made& made);

  Problem problem_;
  Placements placements_;
  std::vector<ArraySpec> specs_;
  std::vector<Array> arrays_;
  std::vector<DeviceMemory> images_;
  std::vector<std::size_t> image_bytes_;
  bool random_ = false;
  mutable std::unique_ptr<Oracle> oracle_;
};

} // namespace ado::bench
