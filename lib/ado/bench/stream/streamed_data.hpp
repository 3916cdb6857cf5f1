// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a streamed case: in host memory that the device copies from by itself, or in files.
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

namespace ado::bench {

/// Where the inputs of a streamed problem come from; `files`, by array name, feed some of them.
/// Reads the files' headers. Throws InputError.
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
  /// Allocates the inputs uninitialized and opens the files, by array name. The workspaces of
  /// `variants` come on top. Throws Error if the slices, or what must be in host memory, do not
  /// fit; InputError about files.
  StreamedData(Device& device, const Problem& problem, const StreamLimits& limits,
               const std::map<std::string, std::string>& files = {},
               const std::vector<const Variant*>& variants = {});

  const Slices& slices() const { return slices_; }
  /// What all slots may take on the device.
  std::size_t device_limit() const { return device_limit_; }
  const std::vector<ArraySpec>& specs() const { return specs_; } ///< of the whole problem
  std::size_t input_count() const { return ado::bench::input_count(specs_); }
  Source source(std::size_t k) const { return sources_[k]; }
  bool reads_files() const { return any_read(sources_); }
  /// The inputs in host memory: one period, and arrays that are not cut. Without data if the slices
  /// are read from files.
  HostData& in_memory() { return *in_memory_; }
  const HostData& in_memory() const { return *in_memory_; }
  /// Makes data, and reads what is held in memory. Call once, before the first check(). Throws
  /// InputError.
  void load(DataKind kind, std::uint64_t seed);

  /// Input `k` of a slice, with its data at `data`.
  Array part(std::size_t k, std::size_t slice, void* data) const;
  /// The data of a slice; null if it is read from a file.
  void* slice_data(std::size_t k, std::size_t slice) const;
  /// How it lies there: blocks in rows, everything else in one piece.
  HostRows rows(std::size_t k, std::size_t slice) const;
  /// Bytes of one step of the size that is cut.
  std::size_t step_bytes(std::size_t k) const;
  const NpyFile* file(std::size_t k) const { return files_[k].get(); }
  /// Throws InputError if a file has changed.
  void check_files() const;

  /// Checks the output of a slice, whose inputs are `arrays`, as Oracle does. Keeps what an oracle
  /// knows if that does not look at its inputs again and the host has room.
  Check check(std::size_t slice, const std::vector<Array>& arrays, const Array& output,
              const Tolerance& tolerance) const;
  /// The oracle of the sum of all slices' outputs, once all of them were checked.
  const Oracle& oracle_of_sum() const;

private:
  void open_files(const std::map<std::string, std::string>& files);
  void check_held(const StreamLimits& limits) const;
  std::size_t oracle_of(std::size_t slice) const;

  std::vector<ArraySpec> specs_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<NpyFile>> files_; ///< null: none
  Slices slices_;
  std::size_t device_limit_;
  std::unique_ptr<HostData> in_memory_;
  mutable std::map<std::size_t, std::unique_ptr<Oracle>> oracles_; ///< by oracle_of()
  mutable std::unique_ptr<Oracle> of_sum_;
  mutable std::size_t oracle_bytes_left_;
};

} // namespace ado::bench
