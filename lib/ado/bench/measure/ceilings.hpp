// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device can do at most, measured in the same process.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/core/access_pattern.hpp>
#include <ado/core/algorithm.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ado {

/// Measured limits. Bandwidths in bytes a second, a copy counts its reads and its writes.
struct Ceilings {
  double read = 0, write = 0, copy = 0;
  /// Of what lies in the last-level cache, on a GPU L2: a quarter of it at most. 0 where its size is unknown.
  double cache_read = 0;
  double flops_f32 = 0, flops_f64 = 0; ///< multiply-adds count two
  double launch = 0;                   ///< seconds of an empty kernel
  double host_launch = 0;              ///< that the host takes to launch it
  /// Between page-locked host memory and the device; 0 where there is no such link, or nobody asked.
  double link_in = 0, link_out = 0;
  /// Of bursts of 64 bytes that are read, and of sectors of 32 that are read and written because a part of them is
  /// stored, each in a block of 256 bytes of its own (memory_block_bytes); 0 as for the link.
  double scattered_read = 0, scattered_update = 0;
  /// What leaves a rank while each sends as much to every other one; 0 where there is one.
  double exchange = 0;
  double load_average = 0; ///< of the host then, where it had other work
  std::string measured{};  ///< when, as RunFacts has dates
  std::string kept_in{};   ///< the file that an earlier run left them in; mostly none

  double flops(Type type) const { return info(type).bytes == 4 ? flops_f32 : flops_f64; }
  /// Bandwidth at the mix of reads and writes that `traffic` has: seconds a byte lie on straight
  /// lines between read (no writes), copy (half) and write (all).
  double bandwidth(const Traffic& traffic) const;
  double memory_seconds(const Traffic& traffic) const;
  double compute_seconds(const Traffic& traffic, Type type) const;
  /// Of what moves for accesses, which may leave holes in the blocks that they ask for. A hole costs its share
  /// of what a piece alone in its block takes longer than one among others; stores are taken to be of parts of
  /// sectors. Without scattered ceilings holes cost nothing.
  double memory_seconds(const MemoryTraffic& moved) const;
  bool has_link() const { return link_in > 0 && link_out > 0; }
  bool has_scattered() const { return scattered_read > 0 && scattered_update > 0; }
  /// Of inputs that come from the host and outputs that go there, in both directions at once.
  double link_seconds(const Traffic& traffic) const;
};

/// The numbers of Ceilings, as JSON and journals name them; the first three stand in CSV too.
struct CeilingField {
  std::string_view name;
  double Ceilings::*value;
  std::string_view meaning;
  std::string_view csv{};
  bool may_lack = false; ///< left out where it is 0
};
inline constexpr std::array<CeilingField, 14> ceiling_fields{
    {{"read_bytes_per_second", &Ceilings::read, "measured at the start: reading",
      "read_ceiling_bytes_per_second"},
     {"write_bytes_per_second", &Ceilings::write, "measured at the start: writing",
      "write_ceiling_bytes_per_second"},
     {"copy_bytes_per_second", &Ceilings::copy,
      "measured at the start: copying, reads and writes counted", "copy_ceiling_bytes_per_second"},
     {"cache_read_bytes_per_second", &Ceilings::cache_read,
      "measured at the start: reading what lies in the last-level cache", "", true},
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
     {"load_average", &Ceilings::load_average,
      "of the host when its ceilings were measured, where it had other work", "", true}}};

/// What is measured only for runs that need it. The link's page-locked memory takes a while.
struct MoreCeilings {
  bool link = false, scattered = false;
  bool exchange = false; ///< of several ranks, which measure it themselves

  bool are_in(const Ceilings& c) const {
    return (c.has_link() || !link) && (c.has_scattered() || !scattered) &&
           (c.exchange > 0 || !exchange);
  }
  /// These and those that `c` has.
  MoreCeilings and_of(const Ceilings& c) const {
    return {link || c.has_link(), scattered || c.has_scattered(), exchange || c.exchange > 0};
  }
};
/// Measures them, `more` on GPUs only: the best of several runs on arrays beyond the last-level cache. Throws
/// OutOfMemory.
Ceilings measure_ceilings(Device& device, MoreCeilings more = {});

/// What limits a run of `seconds`: limiter_by_rule(), fed with the algorithm's bytes and operations
/// over the measured ceilings.
std::string_view estimate_limiter(const Ceilings& ceilings, const Traffic& traffic, Type type,
                                  double seconds, std::optional<double> waves);

} // namespace ado
