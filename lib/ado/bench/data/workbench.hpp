// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem with its data on the host and on a device: poisons outputs, runs variants, verifies.
#pragma once

#include <ado/bench/data/array_image.hpp>
#include <ado/bench/data/bench.hpp>
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
  /// Element type of the output.
  Type output_type() const { return algorithm->arrays(shape).back().type(type); }
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
  const std::vector<ArraySpec>& specs() const { return specs_; } ///< the output last
  std::size_t input_count() const { return specs_.size() - 1; }
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

/// The problem's arrays on a device.
class Workbench : public Bench {
public:
  /// Copies the inputs to the device and allocates `output_count` outputs there. On a host, and for
  /// an algorithm with host_arrays, uses all of them in place. Throws OutOfMemory.
  Workbench(Device& device, const HostData& data, std::size_t output_count);

  /// Takes over what the HostData holds now, in the same arrays.
  void renew_inputs();

  bool by_host() const override { return data_.problem().algorithm->host_arrays; }
  double rounding_steps(const Variant& variant, const Launch& launch) const override;
  void reserve_workspace(const Variant& variant) override;
  bool overran_workspace() override;
  void run(const Variant& variant, std::size_t slot, const Launch& launch = {},
           StageRecorder* stages = nullptr) override;
  void run_sample(const Variant& variant, std::size_t slot, const Launch& launch) override {
    run(variant, slot, launch);
  }
  void prepare(const Variant& variant, std::size_t slot, unsigned turn) override;
  Check verify(std::size_t slot, Tolerance tolerance) override;
  /// Flips the sign of every element of an input of real numbers. Arrays used in place are the
  /// HostData's own and change there.
  void negate_input(std::size_t input);
  const Array& host_output(std::size_t slot) const override;
  std::uint64_t output_checksum(std::size_t slot) override;
  std::string changed_input() override;
  double seconds_with_transfers(const Variant& variant, std::size_t slot,
                                const Launch& launch = {}) override;

private:
  struct Output {
    DeviceMemory image;
    DeviceMemory host_image; ///< empty if used in place
    Array device, host;
    std::uint64_t pattern = 0;
    bool on_host = false; ///< whether `host` is up to date
  };
  /// Memory for variants to work in, with a guard behind it.
  struct Scratch {
    DeviceMemory memory;
    std::size_t bytes = 0; ///< as allocated
    std::size_t end = 0;   ///< end of what the last variant reserved; the guard begins here
  };
  Call call_of(const Variant& variant, std::size_t slot, const Launch& launch) const;
  template <class Allocate>
  void reserve(Scratch& scratch, std::size_t bytes, const Allocate& allocate);
  void fill(void* memory, std::size_t bytes, std::uint64_t pattern);
  std::uint64_t checksum(const void* memory, std::size_t bytes);
  void* input_image(std::size_t input) const {
    return in_place_ ? data_.image(input) : input_images_[input].get();
  }
  std::string damaged_guard(const Output& output) const;

  const HostData& data_;
  bool in_place_; ///< the arrays are in host memory
  Type output_type_;
  std::size_t output_bytes_;
  std::vector<DeviceMemory> input_images_; ///< empty if used in place
  std::vector<Array> inputs_;
  std::vector<std::uint64_t> checksums_;
  std::vector<Output> outputs_;
  Scratch workspace_, locked_, pageable_; ///< on the device, and two kinds of staging memory
};

} // namespace ado::bench
