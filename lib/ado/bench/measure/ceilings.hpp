// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device can do at most, measured in the same process.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/algorithm.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ado::bench {

/// Measured limits. Bandwidths are in bytes per second; a copy counts its reads and its writes.
struct Ceilings {
  double read = 0, write = 0, copy = 0;
  double flops_f32 = 0, flops_f64 = 0; ///< multiply-adds count two
  double launch = 0;                   ///< seconds of an empty kernel
  double host_launch = 0;              ///< that the host takes to launch it
  /// Between page-locked host memory and the device; 0: no such link, or not asked for.
  double link_in = 0, link_out = 0;
  /// Reads of 64-byte bursts, and of 32-byte sectors read and written because a part of each is
  /// stored; each piece lies in its own block of 256 bytes (memory_block_bytes). 0 as for the link.
  double scattered_read = 0, scattered_update = 0;
  /// Leaves a rank while each sends as much to every other one; 0: only one rank.
  double exchange = 0;
  /// From the last-level cache, on a GPU L2, with at most a quarter of its size. 0: size unknown.
  double cache_read = 0;
  double load_average = 0; ///< the host's at that time, if it had other work
  std::string measured{};  ///< when, as RunFacts has dates
  std::string kept_in{};   ///< the file in which an earlier run kept them; usually none

  double flops(Type type) const { return info(type).bytes == 4 ? flops_f32 : flops_f64; }
  /// Bandwidth for the mix of reads and writes in `traffic`: seconds per byte are linear between
  /// read (no writes), copy (half) and write (all).
  double bandwidth(const Traffic& traffic) const;
  double memory_seconds(const Traffic& traffic) const;
  double compute_seconds(const Traffic& traffic, Type type) const;
  /// Time for what accesses move, with holes in the blocks that they ask for. A hole costs its
  /// share of the extra time that a piece alone in its block takes over one among others. Stores
  /// are assumed to cover only parts of sectors. Without scattered ceilings holes cost nothing.
  double memory_seconds(const MemoryTraffic& moved) const;
  bool has_link() const { return link_in > 0 && link_out > 0; }
  bool has_scattered() const { return scattered_read > 0 && scattered_update > 0; }
  /// Time for inputs from the host and outputs to it, in both directions at once.
  double link_seconds(const Traffic& traffic) const;
};

/// The numbers of Ceilings as JSON and journals name them; the first three are in CSV too.
struct CeilingField {
  std::string_view name;
  double Ceilings::*value;
  std::string_view meaning;
  std::string_view csv{};
  bool may_lack = false; ///< left out if 0
};
inline constexpr std::array<CeilingField, 14> ceiling_fields{
    {{"read_bytes_per_second", &Ceilings::read, "measured at the start: reading",
      "read_ceiling_bytes_per_second"},
     {"write_bytes_per_second", &Ceilings::write, "measured at the start: writing",
      "write_ceiling_bytes_per_second"},
     {"copy_bytes_per_second", &Ceilings::copy,
      "measured at the start: copying, reads and writes counted", "copy_ceiling_bytes_per_second"},
     {"f32_flops", &Ceilings::flops_f32,
      "measured at the start: operations a second of multiply-adds, which count two, in f32"},
     {"f64_flops", &Ceilings::flops_f64, "the same in f64"},
     {"launch_seconds", &Ceilings::launch, "measured at the start: an empty kernel"},
     {"host_launch_seconds", &Ceilings::host_launch,
      "measured at the start: what the host takes to launch it"},
     {"link_in_bytes_per_second", &Ceilings::link_in,
      "from page-locked host memory to the device, measured where runs move data", "", true},
     {"link_out_bytes_per_second", &Ceilings::link_out, "back to the host", "", true},
     {"scattered_read_bytes_per_second", &Ceilings::scattered_read,
      "bursts of 64 bytes that lie apart, measured for --stride", "", true},
     {"scattered_update_bytes_per_second", &Ceilings::scattered_update,
      "sectors of 32 bytes that lie apart, read and written", "", true},
     {"exchange_bytes_per_second", &Ceilings::exchange,
      "of several ranks: what leaves one while each sends as much to every other one", "", true},
     {"cache_read_bytes_per_second", &Ceilings::cache_read,
      "measured at the start: reading what lies in the last-level cache", "", true},
     {"load_average", &Ceilings::load_average,
      "of the host when its ceilings were measured, where it had other work", "", true}}};

/// Measured only for runs that need it: the link's page-locked memory takes a while.
struct MoreCeilings {
  bool link = false, scattered = false;
  bool exchange = false; ///< for several ranks, which measure it themselves

  bool are_in(const Ceilings& c) const {
    return (c.has_link() || !link) && (c.has_scattered() || !scattered) &&
           (c.exchange > 0 || !exchange);
  }
  /// These and those that `c` has.
  MoreCeilings and_of(const Ceilings& c) const {
    return {link || c.has_link(), scattered || c.has_scattered(), exchange || c.exchange > 0};
  }
};
/// Measures them, `more` on GPUs only: the best of several runs on arrays beyond the last-level
/// cache. Throws OutOfMemory.
Ceilings measure_ceilings(Device& device, MoreCeilings more = {});

/// What limits a run of `seconds`: limiter_by_rule() for the algorithm's bytes and operations over
/// the measured ceilings.
std::string_view estimate_limiter(const Ceilings& ceilings, const Traffic& traffic, Type type,
                                  double seconds, std::optional<double> waves);

} // namespace ado::bench
