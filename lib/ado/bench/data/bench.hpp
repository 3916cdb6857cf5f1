// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One problem with its data, ready to run and verify: all that measuring needs to know of it.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/registry/algorithm.hpp>
#include <ado/registry/variant.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace ado::bench {

/// A variant's name in profilers, shared by twins: "ado::yax[tuned]".
std::string region_name(const Variant& variant);

class Bench {
public:
  explicit Bench(Device& device) : device_(device) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  virtual ~Bench() = default;

  Device& device() { return device_; }
  /// Whether runs move the data themselves and return once the output is in host memory. Such runs
  /// are timed by the host's clock and have stages.
  virtual bool by_host() const = 0;
  /// Roundings on the longest path from an input to an output, as verify() takes them.
  virtual double rounding_steps(const Variant& variant, const Launch& launch) const = 0;
  /// Makes room for a variant's workspace and staging memory and fills both with NaN, so that it
  /// cannot live on what another one left there. Throws OutOfMemory and then keeps what it had.
  virtual void reserve_workspace(const Variant& variant) = 0;
  /// Whether a run wrote beyond the end of either since reserve_workspace().
  virtual bool overran_workspace() = 0;
  /// Runs a variant into the outputs of `slot`; asynchronous unless by_host(). Throws Error if its
  /// launch is refused. `stages` records its stages, or is null.
  virtual void run(const Variant& variant, std::size_t slot, const Launch& launch = {},
                   StageRecorder* stages = nullptr) = 0;
  /// As much of run() as shows what a variant launches.
  virtual void run_sample(const Variant& variant, std::size_t slot, const Launch& launch) = 0;
  /// Prepares a run: calls Variant::prepare and overwrites a slot's outputs, guards included, with
  /// poison(): a NaN of known payload, or for integers one of two alternating patterns.
  /// Asynchronous.
  virtual void prepare(const Variant& variant, std::size_t slot, unsigned turn) = 0;
  /// Copies a slot's outputs to the host, unless they are there, and checks them: every element
  /// written, none beyond its bound, nothing written outside.
  virtual Check verify(std::size_t slot, Tolerance tolerance) = 0;
  /// Output k of a slot in host memory, as verify() or seconds_with_transfers() left it. Throws
  /// std::logic_error if neither was called.
  virtual const Array& host_output(std::size_t slot, std::size_t k) const = 0;
  const Array& host_output(std::size_t slot) const { return host_output(slot, 0); }
  /// Checksum of a slot's outputs with their guards; equal sums mean equal bits.
  virtual std::uint64_t output_checksum(std::size_t slot) = 0;
  /// Name of the first input that changed since construction, or empty.
  virtual std::string changed_input() = 0;
  /// Host time to copy the inputs in, run once, and copy the outputs out. Not for by_host(), whose
  /// runs include that.
  virtual double seconds_with_transfers(const Variant& variant, std::size_t slot,
                                        const Launch& launch = {}) = 0;

  /// Reads other data, twice the last-level cache and at least 64 MiB, so that caches hold nothing
  /// of the problem and nothing waits to be written back. Asynchronous. Throws OutOfMemory.
  void empty_caches();

  /// A right output: its checksum with guards, whether its turn was odd, and the roundings in its
  /// bound. It held none of the turn's poison, so the same output is right in another row, too.
  using Right = std::tuple<std::uint64_t, bool, double>;
  void note_right(const Right& output) { right_.insert(output); }
  bool was_right(const Right& output) const { return right_.count(output) > 0; }

protected:
  /// While it lives, everything belongs to one variant in profilers.
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
  std::map<const Variant*, std::string> regions_; ///< made once: timed runs use them
  DeviceMemory other_data_, other_sums_;          ///< for empty_caches()
};

/// Runs a variant and waits for its end; KernelGuard reports its faults under its name.
void run_and_wait(Bench& bench, const Variant& variant, std::size_t slot, const Launch& launch);

} // namespace ado::bench
