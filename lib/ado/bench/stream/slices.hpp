// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a case that does not fit a device's memory is cut into slices that do.
#pragma once

#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/core/variant.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ado {

/// What a stream of slices may take.
struct StreamLimits {
  std::size_t device_bytes; ///< of all slots
  std::size_t host_bytes;   ///< of made data, which repeats where it would be more
  /// Of a slice's inputs. Larger ones only make the first and the last one longer, which nothing
  /// overlaps with.
  std::size_t slice_bytes = std::size_t{256} << 20;
  /// Copies of shorter rows are slow. Where slices would leave the device in such rows, and can be cut
  /// across, they are blocks.
  std::size_t row_bytes = std::size_t{32} << 10;
};

/// The cap of the device, or what is free on it less a part for others; of the host a quarter of what is
/// free, `host_bytes`, at most 16 GiB.
StreamLimits stream_limits(const Device& device, std::size_t host_bytes = available_host_memory());

/// Whether a case does not fit the device, or its cap, and can be cut: then it is streamed, but for one of
/// more than 8.8 TB. A host without a cap has nothing to stream to. Slices are packed, so rows that lie apart are not cut.
bool is_streamed(const Problem& problem, const Device& device);

/// Where the slices of an input come from.
enum class Source : std::uint8_t {
  made, ///< host memory, again and again where it does not hold all of them
  held, ///< host memory, which holds all of it
  read  ///< a file, slice by slice
};

/// A problem in slices, each of which is a smaller problem.
struct Slices {
  /// Places for slices on the device: one is copied in, one is worked on, one is copied out.
  static constexpr std::size_t slots = 3;

  Problem problem;
  std::size_t length = 0; ///< of the size that is cut, but in the last slice or blocks
  std::size_t width = 0;  ///< of the size that is cut across into blocks, likewise; 0: none is
  std::size_t count = 0;
  std::size_t period = 0; ///< slices after which made data repeats; `count`: never

  const Slicing& slicing() const { return *problem.algorithm->slicing; }
  std::size_t total() const { return problem.shape[static_cast<std::size_t>(slicing().size)]; }
  /// Of the size that is cut across; 1 where there is none.
  std::size_t total_across() const;
  /// Slices that lie beside each other; those that follow them lie behind them.
  std::size_t across() const;
  bool repeats() const { return period < count; }
  /// Of slice k: where it begins, and how long and wide it is; width 0 is all.
  std::size_t first(std::size_t k) const { return k / across() * length; }
  std::size_t length_of(std::size_t k) const;
  std::size_t first_across(std::size_t k) const { return k % across() * width; }
  std::size_t width_of(std::size_t k) const;
  /// Slices, some of them perhaps the same, that have all the shapes there are. There must be one.
  std::array<std::size_t, 4> corners() const;
  /// The problem of that length, and of that width where it is not 0.
  Problem part(std::size_t length_of_part, std::size_t width_of_part = 0) const;
  /// Slice k as a problem, and the largest.
  Problem of(std::size_t k) const { return part(length_of(k), width_of(k)); }
  Problem largest() const { return part(length, width); }
  /// The problem whose data is one period.
  Problem of_period() const { return part(std::min(total(), period / across() * length)); }
  bool is_cut(std::size_t array) const { return slicing().cut[array] != Slicing::whole; }
};

/// Cuts into slices as large as the limits let them be, and as even as they have to be: of 1/64 of the
/// inputs, but 32 MiB at least. Blocks are no larger than the slices that they are made instead of; what is
/// read from files is read in one piece. `sources` of the inputs: empty means made. `variants`: those whose
/// workspaces come on top; one that has no room for its own fails alone. Throws Error, saying what is
/// missing, where one set or row does not fit.
Slices cut_into_slices(const Problem& problem, const StreamLimits& limits,
                       const std::vector<Source>& sources = {},
                       const std::vector<const Variant*>& variants = {});

/// Bytes that the inputs of a slice take, of those arrays that are cut.
std::size_t slice_bytes(const Slices& slices);

/// What a report says of a stream.
struct StreamFacts {
  std::size_t slices = 0;
  std::size_t slice_bytes = 0;
  std::size_t period = 0;       ///< slices after which made data repeats; `slices`: never
  std::size_t device_bytes = 0; ///< all that it took on the device; 0: not known yet
  bool reads_files = false;     ///< slice by slice, in each run

  bool operator==(const StreamFacts&) const = default;
};

/// What is known before any memory is had.
StreamFacts planned_facts(const Slices& slices);

/// "streamed: 96 slices of 67.1 MB, 204.5 MB on the device"
std::string stream_note(const StreamFacts& facts);

} // namespace ado
