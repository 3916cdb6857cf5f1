// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/bench.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/core/checks.hpp>

#include <algorithm>

namespace ado::bench {

std::string region_name(const Variant& variant) {
  return "ado::" + std::string(variant.algorithm) + "[" + std::string(variant.name) + "]";
}

Bench::Region::Region(Bench& bench, const Variant& variant) : device_(bench.device_) {
  std::string& name = bench.regions_[&variant];
  if (name.empty()) name = region_name(variant);
  device_.begin_region(name);
}

void Bench::empty_caches() {
  constexpr std::size_t least = std::size_t{64} << 20;
  const std::size_t bytes = std::max(least, 2 * device_.last_level_cache);
  const std::size_t count = round_up(bytes / sizeof(double), Device::read_row);
  if (!other_data_) {
    other_sums_ = device_.allocate(device_.ceiling_result_bytes(count), "cold cache: sums");
    other_data_ = device_.allocate(count * sizeof(double), "cold cache: other data");
    device_.fill(other_data_.get(), count * sizeof(double), 0);
  }
  device_.read_all(static_cast<const double*>(other_data_.get()), count, count,
                   static_cast<double*>(other_sums_.get()));
}

void run_and_wait(Bench& bench, const Variant& variant, std::size_t slot, const Launch& launch) {
  const KernelRun run(variant);
  bench.run(variant, slot, launch);
  bench.device().fence();
}

} // namespace ado::bench
