// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem with its data, on the host and on a device: poisons outputs, runs variants, verifies.
#pragma once

#include <ado/bench/data/array_image.hpp>
#include <ado/bench/data/bench.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/core/algorithm.hpp>
#include <ado/core/variant.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ado {

/// An algorithm at one size and type.
struct Problem {
  const Algorithm* algorithm;
  Shape shape;
  Type type;
  std::size_t row_padding = 0; ///< elements between the rows of every array

  /// Of several ranks this one's part, where that is a problem of its own.
  std::optional<Part> part() const { return algorithm->part_of(shape); }
  /// What variants are given.
  Shape given_shape() const {
    Shape given = shape;
    if (const auto own = part()) given[0] = own->count;
    return given;
  }
};

/// Why the variant does not run this problem, which says nothing against it; empty: it does.
std::string why_skipped(const Problem& problem, const Variant& variant);

/// Bytes of all its arrays, without what lies between their rows.
double working_set(const Problem& problem);

/// How the memory of an input is had: its index and name, and the bytes.
using InputAllocator =
    std::function<DeviceMemory(std::size_t index, std::size_t bytes, const std::string& label)>;

/// Inputs in host memory and what follows from them.
class HostData {
public:
  /// Allocates the inputs uninitialized. Throws InvalidArgument where sizes overflow, OutOfMemory.
  explicit HostData(const Problem& problem);
  HostData(const Problem& problem, const Placements& placements);
  /// The same in other memory; an input for which `allocate` returns none has no data.
  HostData(const Problem& problem, const Placements& placements, const InputAllocator& allocate);

  const Problem& problem() const { return problem_; }
  const std::vector<ArraySpec>& specs() const { return specs_; } ///< the output last
  std::size_t input_count() const { return specs_.size() - 1; }
  const Array& input(std::size_t k) const { return arrays_[k]; }
  /// The whole allocation of input k, padding included.
  void* image(std::size_t k) const { return images_[k].get(); }
  std::size_t image_bytes(std::size_t k) const { return image_bytes_[k]; }
  const Placements& placements() const { return placements_; }

  /// Fills every input, padding included, with made data, or as it says itself.
  void make(DataKind kind, std::uint64_t seed);
  /// The same with witness data for this problem.
  void make(const Witness& witness, std::uint64_t seed);
  /// Reads an input from a file. Throws InputError.
  void read(std::size_t k, const std::string& path, const NpyHeader& header);
  /// Throws InputError where what was read would lead a kernel astray.
  void check() const;
  /// Whether all inputs are as make() left them.
  bool is_random() const { return random_; }
  /// The expected output; built at the first call, from the inputs as they then are.
  const Oracle& oracle() const;

private:
  /// made(k, type, to, count, first) fills an input that does not fill itself, padding included; where a rank has several
  /// runs of it, each anew. `first`: in the allocation of the whole.
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
  /// Copies the inputs to the device and allocates `output_count` outputs there; on a host, and for an
  /// algorithm with host_arrays, all of them are used in place. Throws OutOfMemory.
  Workbench(Device& device, const HostData& data, std::size_t output_count);

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
  /// Gives every element of an input, of real numbers, the opposite sign. Where arrays are used in place these are
  /// the HostData's own.
  void negate_input(std::size_t input);
  const Array& host_output(std::size_t slot) const override;
  std::uint64_t output_checksum(std::size_t slot) override;
  std::string changed_input() override;
  double seconds_with_transfers(const Variant& variant, std::size_t slot,
                                const Launch& launch = {}) override;

private:
  struct Output {
    DeviceMemory image;
    DeviceMemory host_image; ///< empty where it is used in place
    Array device, host;
    std::uint64_t pattern = 0;
    bool on_host = false; ///< copied there, or there already
  };
  /// Memory that variants work in, with a guard behind it.
  struct Scratch {
    DeviceMemory memory;
    std::size_t bytes = 0; ///< as allocated
    std::size_t end = 0;   ///< of the variant that reserved it last; the guard begins here
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
  std::size_t output_bytes_;
  std::vector<DeviceMemory> input_images_; ///< empty where they are used in place
  std::vector<Array> inputs_;
  std::vector<std::uint64_t> checksums_;
  std::vector<Output> outputs_;
  Scratch workspace_, locked_, pageable_; ///< on the device, and the two kinds of staging memory
};

} // namespace ado
