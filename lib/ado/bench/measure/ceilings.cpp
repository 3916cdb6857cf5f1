// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/measure/ceilings.hpp>
#include <ado/bench/measure/limiter.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ado::bench {
namespace {

/// The shortest of several runs: a ceiling is what the machine can do, so disturbances do not
/// count.
template <class Work>
Elapsed shortest(Device& device, int runs, Work&& work) {
  work();
  Elapsed best{1e300, 1e300};
  for (int run = 0; run < runs; ++run) {
    constexpr double hold = 20e-6; // several times what a launch costs a host
    const Elapsed elapsed = device.run_timed(work, hold);
    best.queue = std::min(best.queue, elapsed.queue);
    best.host = std::min(best.host, elapsed.host);
  }
  return best;
}

void measure_link(Device& device, Ceilings& c) {
  constexpr std::size_t bytes = std::size_t(256) << 20;
  const DeviceMemory host = device.allocate_staging(bytes, "ceiling: page-locked");
  const DeviceMemory memory = device.allocate(bytes, "ceiling: link");
  std::memset(host.get(), 1, bytes);
  constexpr int runs = 7;

  c.link_in = bytes / shortest(device, runs, [&] {
                        device.copy_in(memory.get(), host.get(), bytes);
                      }).queue;
  c.link_out = bytes / shortest(device, runs, [&] {
                         device.copy_out(host.get(), memory.get(), bytes);
                       }).queue;
}

} // namespace

double Ceilings::bandwidth(const Traffic& traffic) const {
  const double writes = traffic.bytes() > 0 ? traffic.bytes_written / traffic.bytes() : 0;
  const double t = 2 * writes;
  const double seconds_a_byte =
      t <= 1 ? (1 - t) / read + t / copy : (2 - t) / copy + (t - 1) / write;
  return 1 / seconds_a_byte;
}

double Ceilings::memory_seconds(const Traffic& traffic) const {
  return traffic.bytes() / bandwidth(traffic);
}

double Ceilings::memory_seconds(const MemoryTraffic& moved) const {
  const double side_by_side =
      memory_seconds(Traffic{.bytes_read = moved.read, .bytes_written = moved.written});
  if (!has_scattered()) return side_by_side;
  /// Time for a byte of holes, if a piece that moves `bytes` leaves out the rest of its block.
  const auto seconds_of_hole = [](std::size_t piece, double bytes, double alone, double beside) {
    return bytes * std::max(0.0, 1 / alone - 1 / beside) /
           static_cast<double>(memory_block_bytes - piece);
  };
  constexpr std::size_t burst = gpu_memory.loaded, sector = gpu_memory.stored;
  return side_by_side + moved.load_holes * seconds_of_hole(burst, burst, scattered_read, read) +
         moved.store_holes * seconds_of_hole(sector, 2 * sector, scattered_update, copy);
}

double Ceilings::compute_seconds(const Traffic& traffic, Type type) const {
  return traffic.flops / flops(type);
}

double Ceilings::link_seconds(const Traffic& traffic) const {
  return std::max(traffic.bytes_read / link_in, traffic.bytes_written / link_out);
}

Ceilings measure_ceilings(Device& device, MoreCeilings more) {
  constexpr std::size_t least = std::size_t(256) << 20;
  std::size_t bytes = std::max(least, device.beyond_cache());
  if (!device.on_host) bytes = std::max(bytes, std::size_t(2) << 30);
  bytes = std::min(bytes, device.memory_bytes / 4) / 4096 * 4096;
  const std::size_t count = bytes / sizeof(double) / Device::read_row * Device::read_row;
  const DeviceMemory from = device.allocate(bytes, "ceiling: source");
  const DeviceMemory to = device.allocate(bytes, "ceiling: target");
  const DeviceMemory result = device.allocate(device.ceiling_result_bytes(count), "ceiling: sums");
  auto* source = static_cast<double*>(from.get());
  auto* target = static_cast<double*>(to.get());
  constexpr std::uint64_t one_point_five = 0x3ff8000000000000u;
  device.fill(source, bytes, one_point_five);
  device.fill(target, bytes, one_point_five);
  device.fence();

  constexpr int runs = 7;
  const auto size = static_cast<double>(count * sizeof(double));
  Ceilings c;
  const auto read = [&](std::size_t period) {
    const auto work = [&] {
      device.read_all(source, count, period, static_cast<double*>(result.get()));
    };
    return size / shortest(device, runs, work).queue;
  };
  c.read = read(count);
  const std::size_t in_cache = std::bit_floor(device.beyond_cache() / 16 / sizeof(double));
  if (in_cache >= Device::read_period && in_cache < count) c.cache_read = read(in_cache);
  c.write = size / shortest(device, runs, [&] { device.write_all(target, count); }).queue;
  c.copy = 2 * size / shortest(device, runs, [&] { device.copy_all(source, target, count); }).queue;
  for (const Type type : {Type::f32, Type::f64}) {
    const std::size_t length = device.on_host ? 2'000'000 : 4096;
    double operations = 0;
    const double seconds = shortest(device, runs, [&] {
                             operations = device.multiply_add(type, length, result.get());
                           }).queue;
    (type == Type::f32 ? c.flops_f32 : c.flops_f64) = operations / seconds;
  }
  const Elapsed launch = shortest(device, 50, [&] { device.launch_nothing(); });
  c.launch = launch.queue;
  c.host_launch = launch.host;
  if (device.on_host) return c;
  if (more.link) measure_link(device, c);
  if (more.scattered) {
    const std::size_t pieces = count * sizeof(double) / memory_block_bytes;
    c.scattered_read = double(pieces * gpu_memory.loaded) /
                       shortest(device, runs, [&] {
                         device.read_scattered(source, pieces, static_cast<double*>(result.get()));
                       }).queue;
    c.scattered_update =
        double(pieces * 2 * gpu_memory.stored) /
        shortest(device, runs, [&] { device.update_scattered(target, pieces); }).queue;
  }
  return c;
}

std::string_view estimate_limiter(const Ceilings& ceilings, const Traffic& traffic, Type type,
                                  double seconds, std::optional<double> waves) {
  return limiter_by_rule(100 * ceilings.compute_seconds(traffic, type) / seconds,
                         100 * ceilings.memory_seconds(traffic) / seconds, waves);
}

} // namespace ado::bench
