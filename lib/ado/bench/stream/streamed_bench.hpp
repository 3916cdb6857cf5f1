// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A case whose arrays exceed the device's memory: a variant runs on one slice after the other,
// while the next one is copied in and the previous one out.
#pragma once

#include <ado/bench/data/bench.hpp>
#include <ado/bench/stream/streamed_data.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ado::bench {

/// Slots take turns, each with its own arrays, workspace and queue; arrays that are not cut are
/// copied once per run. Outputs are in host memory. verify() and its helpers are in
/// streamed_check.cpp.
class StreamedBench : public Bench {
public:
  /// Throws OutOfMemory.
  StreamedBench(Device& device, const StreamedData& data, std::size_t output_count);

  bool by_host() const override { return true; }
  /// Of the longest path in a slice; if outputs are summed, plus one for each slice but the first.
  double rounding_steps(const Variant& variant, const Launch& launch) const override;
  void reserve_workspace(const Variant& variant) override;
  bool overran_workspace() override;
  void run(const Variant& variant, std::size_t slot, const Launch& launch = {},
           StageRecorder* stages = nullptr) override;
  /// Runs the first slice.
  void run_sample(const Variant& variant, std::size_t slot, const Launch& launch) override;
  /// Also overwrites all slots, so that no run lives on what another one copied in.
  /// Variant::prepare runs with each slice, whose data it may need.
  void prepare(const Variant& variant, std::size_t slot, unsigned turn) override;
  Check verify(std::size_t slot, Tolerance tolerance) override;
  using Bench::host_output;
  const Array& host_output(std::size_t slot, std::size_t) const override {
    return outputs_[slot].array;
  }
  std::uint64_t output_checksum(std::size_t slot) override;
  /// Also checks those on the device. Throws InputError if a file has changed.
  std::string changed_input() override;
  double seconds_with_transfers(const Variant&, std::size_t, const Launch& = {}) override {
    return 0;
  }

  StreamFacts facts() const;

private:
  struct Slot {
    Queue queue;
    std::vector<DeviceMemory> images;  ///< by array; none for inputs that are not cut
    std::vector<DeviceMemory> staging; ///< by input; for those read from files
    DeviceMemory workspace;
  };
  struct Output {
    DeviceMemory image;
    Array array;
    DeviceMemory parts; ///< the slices' outputs if they are summed, one result each
    std::uint64_t pattern = 0;
  };
  class Drain;

  const Slices& slices() const { return data_.slices(); }
  Type type() const { return slices().problem.type; }
  const ArraySpec& output_spec() const { return data_.specs().back(); }
  std::size_t result_bytes() const;
  DeviceMemory on_device(std::size_t bytes, const std::string& label);
  void make_slots();
  void make_output();
  Slot& slot_of(std::size_t slice) { return slots_[slice % Slices::slots]; }
  const void* source(std::size_t input, std::size_t slice) const;
  Call call_of(std::size_t slice, const Launch& launch);

  void copy_in(const Queue& queue, void* device, const void* host, const HostRows& rows);
  void copy_whole_inputs(StageRecorder* stages);
  std::optional<SliceReader> reader(StageRecorder* stages);
  void run_slice(const Variant& variant, std::size_t slice, Output& output, const Launch& launch,
                 StageRecorder* stages);
  void copy_out(std::size_t slice, const Output& output);
  void add_parts(const Output& output);

  Array part_of(const Output& output, std::size_t slice) const;
  Check check_slices(const Output& output, Tolerance tolerance);
  std::string damaged_guard(const Output& output);
  bool guards_hold(const void* image, std::size_t bytes);
  std::string changed_on_device();
  bool same_on_device(const void* device, const void* host, const HostRows& rows);

  const StreamedData& data_;
  std::array<Slot, Slices::slots> slots_;
  std::vector<DeviceMemory> whole_; ///< by input; on the device, those that are not cut
  std::vector<Output> outputs_;
  std::vector<std::uint64_t> checksums_; ///< of the inputs in host memory
  std::string changed_;                  ///< input that verify() found changed on the device
  std::uint64_t pattern_ = 0;            ///< what the last prepare() put into the slots
  std::size_t workspace_bytes_ = 0;      ///< as allocated in each slot
  std::size_t workspace_end_ = 0;        ///< where the guard begins
  std::size_t device_bytes_ = 0;         ///< all but workspaces
};

} // namespace ado::bench
