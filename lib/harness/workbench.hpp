// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem with its data, on the host and on a device: poisons outputs, runs variants, verifies.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/variant.hpp>
#include <ado/harness/data.hpp>
#include <ado/harness/device.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ado {

/// An algorithm at one size and type.
struct Problem {
  const Algorithm* algorithm;
  Shape shape;
  Type type;
};

/// How arrays lie in memory. Tests use odd values; the mini-app's arrays are packed.
struct Placement {
  std::size_t padding = 0; ///< elements between the rows of every array
  std::size_t offset = 0;  ///< elements by which every array misses the allocation's alignment
};

/// Inputs in host memory and what follows from them.
class HostData {
public:
  /// Allocates the inputs uninitialized. Throws InvalidArgument where sizes overflow, OutOfMemory.
  explicit HostData(const Problem& problem, Placement placement = {});

  const Problem& problem() const { return problem_; }
  const std::vector<ArraySpec>& specs() const { return specs_; } ///< the output last
  std::size_t input_count() const { return specs_.size() - 1; }
  const Array& input(std::size_t k) const { return arrays_[k]; }
  /// The whole allocation of input k, padding included.
  void* image(std::size_t k) const { return images_[k].get(); }
  std::size_t image_bytes(std::size_t k) const { return image_bytes_[k]; }
  const Placement& placement() const { return placement_; }

  /// Fills every input, padding included, with made data.
  void make(DataKind kind, std::uint64_t seed);
  /// The expected output; built at the first call, from the inputs as they then are.
  const Oracle& oracle() const;

private:
  Problem problem_;
  Placement placement_;
  std::vector<ArraySpec> specs_;
  std::vector<Array> arrays_;
  std::vector<DeviceMemory> images_;
  std::vector<std::size_t> image_bytes_;
  mutable std::unique_ptr<Oracle> oracle_;
};

/// Bytes of one array's allocation; throws InvalidArgument where they overflow.
std::size_t image_bytes(const ArraySpec& spec, Type type, const Placement& placement);

/// A variant's name in profilers, which twins share: "ado::yax[team]".
std::string region_name(const Variant& variant);

/// The problem's arrays on a device.
class Workbench {
public:
  /// Copies the inputs to the device and allocates `output_count` outputs there; on a host, and for an
  /// algorithm with host_arrays, all of them are used in place. Throws OutOfMemory.
  Workbench(Device& device, const HostData& data, std::size_t output_count);

  Device& device() { return device_; }
  /// Makes room for the workspace and the staging memory of a variant and fills both with NaN, so that
  /// it cannot live on what another one left there. Throws OutOfMemory; what there was stays then.
  void reserve_workspace(const Variant& variant);
  /// Whether something was written behind one of them since reserve_workspace().
  bool overran_workspace();
  /// Runs a variant into output `slot`. Asynchronous, but with host_arrays. Throws Error where its
  /// launch is refused. `stages`: who wants to know of its stages, or null.
  void run(const Variant& variant, std::size_t slot, const Launch& launch = {},
           StageRecorder* stages = nullptr);
  /// Makes ready for a run: Variant::prepare, and output `slot`, guards included, overwritten with a
  /// pattern that no result has: a NaN of known payload, or for integers one of two patterns by
  /// turn. Asynchronous.
  void prepare(const Variant& variant, std::size_t slot, unsigned turn);
  /// Reads other data, twice the device's last-level cache (at least 64 MiB), so that nothing of the
  /// problem is left in a cache, and nothing waits there to be written back. Asynchronous. Throws
  /// OutOfMemory.
  void empty_caches();
  /// Copies output `slot` to the host where it is not there already and checks it: every element
  /// written, none beyond the bound, nothing written outside. `rounding_steps` as in Variant; 0
  /// asks for the oracle's very bits.
  Check verify(std::size_t slot, double rounding_steps);
  /// The output in host memory as verify() left it.
  const Array& host_output(std::size_t slot) const { return outputs_[slot].host; }
  /// Of output `slot` and its guards; equal sums mean equal bits.
  std::uint64_t output_checksum(std::size_t slot);
  /// Name of the first input that changed since construction, or empty.
  std::string changed_input();
  /// Host time of copying the inputs in, one run, and copying the output out.
  double seconds_with_transfers(const Variant& variant, std::size_t slot,
                                const Launch& launch = {});

private:
  struct Output {
    DeviceMemory image;
    DeviceMemory host_image; ///< empty where it is used in place
    Array device, host;
    std::uint64_t pattern = 0;
  };
  /// Memory that variants work in, with a guard behind it.
  struct Scratch {
    DeviceMemory memory;
    std::size_t bytes = 0; ///< as allocated
    std::size_t end = 0;   ///< of the variant that reserved it last; the guard begins here
  };
  const std::string& region_of(const Variant& variant);
  Call call_of(const Variant& variant, std::size_t slot, const Launch& launch) const;
  template <class Allocate>
  void reserve(Scratch& scratch, std::size_t bytes, const Allocate& allocate);
  void fill(void* memory, std::size_t bytes, std::uint64_t pattern);
  std::uint64_t checksum(const void* memory, std::size_t bytes);
  std::uint64_t pattern(unsigned turn) const;
  std::string damaged_guard(const Output& output) const;
  std::string unwritten_element(const Output& output) const;

  Device& device_;
  const HostData& data_;
  bool in_place_; ///< the arrays are in host memory
  std::size_t output_bytes_;
  std::vector<DeviceMemory> input_images_; ///< empty where they are used in place
  std::vector<Array> inputs_;
  std::vector<std::uint64_t> checksums_;
  std::vector<Output> outputs_;
  DeviceMemory other_data_, other_sums_;          ///< of empty_caches()
  std::map<const Variant*, std::string> regions_; ///< by region_of()
  Scratch workspace_, locked_, pageable_; ///< on the device, and the two kinds of staging memory
};

} // namespace ado
