// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a case that does not fit a device's memory into slices that do.
#pragma once

#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/registry/variant.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ado::bench {

/// What a stream of slices may take.
struct StreamLimits {
  std::size_t device_bytes; ///< for all slots
  std::size_t host_bytes;   ///< for made data, which repeats if there is more
  /// For a slice's inputs. Larger ones only lengthen the first and the last slice, which nothing
  /// overlaps with.
  std::size_t slice_bytes = std::size_t{256} << 20;
  /// Copies of shorter rows are slow. If slices would leave the device in shorter rows and can be
  /// cut across, they become blocks.
  std::size_t row_bytes = std::size_t{32} << 10;
};

/// The device's cap, or its free memory less a part for others; on the host a quarter of what is
/// free, `host_bytes`, at most 16 GiB.
StreamLimits stream_limits(const Device& device, std::size_t host_bytes = available_host_memory());

/// Whether a case exceeds the device or its cap and can be cut. Then it is streamed, unless it has
/// more than 8.8 TB. A host without a cap has nothing to stream to. Slices are packed, so padded
/// rows are not cut.
bool is_streamed(const Problem& problem, const Device& device);

/// Where the slices of an input come from.
enum class Source : std::uint8_t {
  made, ///< host memory, again and again if it does not hold all of them
  held, ///< host memory, which holds all of it
  read  ///< a file, slice by slice
};

/// A problem in slices, each of them a smaller problem.
struct Slices {
  /// Places for slices on the device: one is copied in, one is worked on, one is copied out.
  static constexpr std::size_t slots = 3;

  Problem problem;
  std::size_t length = 0; ///< of the size that is cut; less in the last slice or blocks
  std::size_t width = 0;  ///< likewise, of the size cut across into blocks; 0: none is
  std::size_t count = 0;
  std::size_t period = 0; ///< slices after which made data repeats; `count`: never

  const Slicing& slicing() const { return *problem.algorithm->slicing; }
  std::size_t total() const { return problem.shape[static_cast<std::size_t>(slicing().size)]; }
  /// Of the size that is cut across; 1: there is none.
  std::size_t total_across() const;
  /// Slices beside each other; the next ones lie behind them.
  std::size_t across() const;
  bool repeats() const { return period < count; }
  /// Of slice k: where it begins, and how long and wide it is; width 0 means all.
  std::size_t first(std::size_t k) const { return k / across() * length; }
  std::size_t length_of(std::size_t k) const;
  std::size_t first_across(std::size_t k) const { return k % across() * width; }
  std::size_t width_of(std::size_t k) const;
  /// Slices, some perhaps the same, that cover all shapes there are. There must be one.
  std::array<std::size_t, 4> corners() const;
  /// The problem with that length, and with that width unless it is 0.
  Problem part(std::size_t length_of_part, std::size_t width_of_part = 0) const;
  /// Slice k as a problem, and the largest.
  Problem of(std::size_t k) const { return part(length_of(k), width_of(k)); }
  Problem largest() const { return part(length, width); }
  /// The problem whose data is one period.
  Problem of_period() const { return part(std::min(total(), period / across() * length)); }
  bool is_cut(std::size_t array) const { return slicing().cut[array] != Slicing::whole; }
};

/// Cuts into slices as large as the limits allow, but no larger than it takes: 1/64 of the inputs,
/// at least 32 MiB. Blocks are no larger than the slices that they replace; files are read in one
/// piece. `sources` of the inputs: empty means made. `variants`: their workspaces come on top; one
/// without room for its own fails alone. Throws Error, saying what is missing, if one set or row
/// does not fit.
Slices cut_into_slices(const Problem& problem, const StreamLimits& limits,
                       const std::vector<Source>& sources = {},
                       const std::vector<const Variant*>& variants = {});

/// Bytes of a slice's inputs, of the arrays that are cut.
std::size_t slice_bytes(const Slices& slices);

/// What a report says of a stream.
struct StreamFacts {
  std::size_t slices = 0;
  std::size_t slice_bytes = 0;
  std::size_t period = 0;       ///< slices after which made data repeats; `slices`: never
  std::size_t device_bytes = 0; ///< everything it took on the device; 0: not known yet
  bool reads_files = false;     ///< slice by slice, in each run

  bool operator==(const StreamFacts&) const = default;
};

/// What is known before any memory is allocated.
StreamFacts planned_facts(const Slices& slices);

/// "streamed: 96 slices of 67.1 MB, 204.5 MB on the device"
std::string stream_note(const StreamFacts& facts);

} // namespace ado::bench
