// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a case that is streamed: in host memory, which the device copies from by itself, or in
// files.
#pragma once

#include <ado/bench/data/workbench.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/bench/stream/slice_reader.hpp>
#include <ado/bench/stream/slices.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ado {

/// Where the inputs of a problem come from that is streamed, some of them perhaps from files, by array name.
/// Reads these files' headers. Throws InputError.
std::vector<Source> sources_of(const Problem& problem,
                               const std::map<std::string, std::string>& files);
/// Whether one of them is read from a file slice by slice.
bool any_read(const std::vector<Source>& sources);

/// Rows in host memory that begin `pitch` bytes apart.
struct HostRows {
  std::size_t count, bytes, pitch;
};

class StreamedData {
public:
  /// Allocates the inputs uninitialized and opens the files, by array name. `variants`: those whose
  /// workspaces come on top. Throws Error where the slices, or what has to be in host
  /// memory, do not fit, InputError about files.
  StreamedData(Device& device, const Problem& problem, const StreamLimits& limits,
               const std::map<std::string, std::string>& files = {},
               const std::vector<const Variant*>& variants = {});

  const Slices& slices() const { return slices_; }
  /// That all slots may take on the device.
  std::size_t device_limit() const { return device_limit_; }
  const std::vector<ArraySpec>& specs() const { return specs_; } ///< of the whole problem
  std::size_t input_count() const { return specs_.size() - 1; }
  Source source(std::size_t k) const { return sources_[k]; }
  bool reads_files() const { return any_read(sources_); }
  /// The inputs in host memory: of one period, those that are not cut whole. Without data where the slices
  /// are read.
  HostData& in_memory() { return *in_memory_; }
  const HostData& in_memory() const { return *in_memory_; }
  /// Made data, and from files what is held in memory. Once, before the first check(). Throws InputError.
  void load(DataKind kind, std::uint64_t seed);

  /// Input `k` of a slice, whose data lies at `data`.
  Array part(std::size_t k, std::size_t slice, void* data) const;
  /// Where the data of a slice is; null where it is read.
  void* slice_data(std::size_t k, std::size_t slice) const;
  /// How it lies there: blocks in rows, all else in one piece.
  HostRows rows(std::size_t k, std::size_t slice) const;
  /// Bytes of one step of the size that is cut.
  std::size_t step_bytes(std::size_t k) const;
  const NpyFile* file(std::size_t k) const { return files_[k].get(); }
  /// Throws InputError where one that is read has changed.
  void check_files() const;

  /// Checks the output of a slice, as Oracle does. Its inputs are `arrays`. What an oracle knows is kept
  /// where it does not look at its inputs once more and the host has room for it.
  Check check(std::size_t slice, const std::vector<Array>& arrays, const Array& output,
              const Tolerance& tolerance) const;
  /// The oracle of the sum of all slices' outputs, when all of them were checked.
  const Oracle& oracle_of_sum() const;

private:
  void open_files(const std::map<std::string, std::string>& files);
  void check_held(const StreamLimits& limits) const;
  std::size_t oracle_of(std::size_t slice) const;

  std::vector<ArraySpec> specs_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<NpyFile>> files_; ///< null where there is none
  Slices slices_;
  std::size_t device_limit_;
  std::unique_ptr<HostData> in_memory_;
  mutable std::map<std::size_t, std::unique_ptr<Oracle>> oracles_; ///< by oracle_of()
  mutable std::unique_ptr<Oracle> of_sum_;
  mutable std::size_t oracle_bytes_left_;
};

} // namespace ado
