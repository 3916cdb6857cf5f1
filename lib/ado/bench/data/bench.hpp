// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem with its data, ready to be run and verified: all that measuring needs to know of it.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/core/algorithm.hpp>
#include <ado/core/variant.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace ado {

/// A variant's name in profilers, which twins share: "ado::yax[tuned]".
std::string region_name(const Variant& variant);

class Bench {
public:
  explicit Bench(Device& device) : device_(device) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  virtual ~Bench() = default;

  Device& device() { return device_; }
  /// Whether runs bring the data to the device themselves and return when the output is in host memory,
  /// so that they are timed by the host's clock and have stages.
  virtual bool by_host() const = 0;
  /// Number of roundings on the longest path from an input to an output, as verify() takes it.
  virtual double rounding_steps(const Variant& variant, const Launch& launch) const = 0;
  /// Makes room for the workspace and the staging memory of a variant and fills both with NaN, so that
  /// it cannot live on what another one left there. Throws OutOfMemory; what there was stays then.
  virtual void reserve_workspace(const Variant& variant) = 0;
  /// Whether something was written behind one of them since reserve_workspace().
  virtual bool overran_workspace() = 0;
  /// Runs a variant into output `slot`. Asynchronous, but by_host(). Throws Error where its launch is
  /// refused. `stages`: who wants to know of its stages, or null.
  virtual void run(const Variant& variant, std::size_t slot, const Launch& launch = {},
                   StageRecorder* stages = nullptr) = 0;
  /// As much of run() as shows what a variant launches.
  virtual void run_sample(const Variant& variant, std::size_t slot, const Launch& launch) = 0;
  /// Makes ready for a run: Variant::prepare, and output `slot`, guards included, overwritten with a
  /// pattern that no result has: a NaN of known payload, or for integers one of two patterns by
  /// turn. Asynchronous.
  virtual void prepare(const Variant& variant, std::size_t slot, unsigned turn) = 0;
  /// Copies output `slot` to the host where it is not there already and checks it: every element
  /// written, none beyond the bound, nothing written outside.
  virtual Check verify(std::size_t slot, Tolerance tolerance) = 0;
  /// The output in host memory as verify() or seconds_with_transfers() left it. Throws std::logic_error where
  /// neither was called.
  virtual const Array& host_output(std::size_t slot) const = 0;
  /// Of output `slot` and its guards; equal sums mean equal bits.
  virtual std::uint64_t output_checksum(std::size_t slot) = 0;
  /// Name of the first input that changed since construction, or empty.
  virtual std::string changed_input() = 0;
  /// Host time of copying the inputs in, one run, and copying the output out. Not by_host(), whose runs
  /// do that.
  virtual double seconds_with_transfers(const Variant& variant, std::size_t slot,
                                        const Launch& launch = {}) = 0;

  /// Reads other data, twice the device's last-level cache (at least 64 MiB), so that nothing of the
  /// problem is left in a cache, and nothing waits there to be written back. Asynchronous. Throws
  /// OutOfMemory.
  void empty_caches();

  /// An output of this checksum, guards included, of an odd turn or not, was found right with a bound of so many roundings, and
  /// held no element of the turn's poison: so in another row the same is right, too.
  using Right = std::tuple<std::uint64_t, bool, double>;
  void note_right(const Right& output) { right_.insert(output); }
  bool was_right(const Right& output) const { return right_.count(output) > 0; }

protected:
  /// Everything until it goes belongs to a variant in profilers.
  class Region {
  public:
    Region(Bench& bench, const Variant& variant);
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() { device_.end_region(); }

  private:
    Device& device_;
  };

  Device& device_;

private:
  std::set<Right> right_;
  std::map<const Variant*, std::string> regions_; ///< made once: they stand in timed runs
  DeviceMemory other_data_, other_sums_;          ///< of empty_caches()
};

/// Runs a variant and waits for its end; what it does wrong is told as its own (KernelGuard).
void run_and_wait(Bench& bench, const Variant& variant, std::size_t slot, const Launch& launch);

} // namespace ado
