// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem with its data on a device: poisons outputs, runs variants, verifies.
#pragma once

#include <ado/bench/data/bench.hpp>
#include <ado/bench/data/host_data.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// The problem's arrays on a device.
class Workbench : public Bench {
public:
  /// Copies the inputs to the device and allocates outputs for `slots` variants there. On a host,
  /// and for an algorithm with host_arrays, uses all of them in place. Throws OutOfMemory.
  Workbench(Device& device, const HostData& data, std::size_t slots);

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
  using Bench::host_output;
  const Array& host_output(std::size_t slot, std::size_t k) const override;
  std::uint64_t output_checksum(std::size_t slot) override;
  std::string changed_input() override;
  double seconds_with_transfers(const Variant& variant, std::size_t slot,
                                const Launch& launch = {}) override;

private:
  struct Output {
    std::string_view name;
    Type type;
    std::size_t bytes; ///< of the image
    DeviceMemory image{};
    DeviceMemory host_image{}; ///< empty if used in place
    Array device{}, host{};
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
  Output make_output(const ArraySpec& spec);
  void copy_out(Output& output);
  Check check(Output& output, const Oracle& oracle, const Tolerance& tolerance);
  std::string damaged_guard(const Output& output) const;

  const HostData& data_;
  bool in_place_;                          ///< the arrays are in host memory
  std::vector<DeviceMemory> input_images_; ///< empty if used in place
  std::vector<Array> inputs_;
  std::vector<std::uint64_t> checksums_;
  std::vector<std::vector<Output>> slots_;
  Scratch workspace_, locked_, pageable_; ///< on the device, and two kinds of staging memory
};

} // namespace ado::bench
