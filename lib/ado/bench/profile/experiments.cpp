// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/guard/kernel_guard.hpp>
#include <ado/bench/profile/experiments.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>

namespace ado::bench {
namespace {

/// Experiments with one variant of a row.
class Laboratory {
public:
  Laboratory(const Options& options, const RowResult& row, const Variant& variant)
      : options_(options), row_(row), variant_(variant) {}

  /// Of the row's problem with another first size; 0: the memory has no room for it, or the variant
  /// does not take it.
  double seconds_at(std::size_t first_size, Device& device) const {
    const Problem problem = problem_at(first_size);
    if (!memory_shortage(problem, device).empty() || !why_skipped(problem, variant_).empty())
      return 0;
    try {
      HostData data(problem);
      data.make(options_.data, options_.seed);
      Workbench bench(device, data, 1);
      return seconds_of(bench, taken_by(variant_, row_.launch));
    } catch (const OutOfMemory&) {
      return 0;
    } catch (const InvalidArgument&) {
      return 0;
    }
  }

  double work_at(std::size_t first_size) const {
    const Problem problem = problem_at(first_size);
    const Traffic traffic = traffic_of(*problem.algorithm, problem.shape, problem.type);
    return traffic.flops > 0 ? traffic.flops : traffic.bytes();
  }

  /// Time per unit of work on arrays that take a quarter of the last-level cache. 0: they are too
  /// small, so time does not grow with the work there.
  double seconds_per_work_in_cache(Device& device) const {
    const double share = double(device.last_level_cache) / 4 / working_set(problem_at(size()));
    const auto small = static_cast<std::size_t>(double(size()) * share);
    if (small < 2) return 0;
    // Arrays may depend on other sizes, too.
    if (working_set(problem_at(small)) > double(device.last_level_cache) / 2) return 0;
    const double seconds = seconds_at(small, device), half = seconds_at(small / 2, device);
    if (seconds == 0 || half == 0) return 0;
    const double growth = work_at(small) / work_at(small / 2);
    return seconds / half >= 0.8 * growth ? seconds / work_at(small) : 0;
  }

  /// Over `usual`.
  std::vector<std::pair<int, double>> team_sizes(Device& device, double usual) const {
    std::vector<std::pair<int, double>> times;
    if (!variant_.takes_team_size) return times;
    HostData data(row_.problem);
    data.make(options_.data, options_.seed);
    Workbench bench(device, data, 1);
    for (const int size : team_sizes_of(device)) {
      Launch launch = taken_by(variant_, row_.launch);
      launch.team_size = size;
      try {
        times.emplace_back(size, seconds_of(bench, launch) / usual);
      } catch (const InvalidArgument&) { // does not fit this kernel
      }
    }
    return times;
  }

  std::size_t size() const { return row_.problem.shape[0]; }

private:
  Problem problem_at(std::size_t first_size) const {
    Problem problem = row_.problem;
    problem.shape[0] = first_size;
    return problem;
  }

  /// The shortest of some repetitions, each long enough for the clock: a disturbance only adds.
  double seconds_of(Workbench& bench, const Launch& launch) const {
    Device& device = bench.device();
    bench.reserve_workspace(variant_);
    bench.prepare(variant_, 0, 0);
    const auto once = [&] { bench.run(variant_, 0, launch); };
    const auto timed = [&](const std::function<void()>& work, double hold) {
      const KernelRun run(variant_);
      return device.run_timed(work, hold);
    };
    timed(once, 0);
    const Elapsed first = timed(once, 0);
    const double batch = std::clamp(std::ceil(1e-3 / std::max(first.queue, 1e-9)), 1.0, 1000.0);
    const auto many = [&] {
      for (int run = 0; run < static_cast<int>(batch); ++run)
        once();
    };
    double shortest = first.queue; // of the GPU alone, held until the host has launched the batch
    for (int repetition = 0; repetition < 5; ++repetition)
      shortest = std::min(shortest, timed(many, std::min(5e-3, first.host * batch)).queue / batch);
    return shortest;
  }

  const Options& options_;
  const RowResult& row_;
  const Variant& variant_;
};

/// Median time in which so many threads each add up the same number of terms, in registers.
double seconds_of_threads(int threads) {
  std::array<double, 5> seconds{};
  for (double& one : seconds) {
    const auto begin = std::chrono::steady_clock::now();
    double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
      double mine = threads;
      for (int k = 0; k < 2'000'000; ++k)
        mine = mine * 0.5 + 1;
      sum += mine;
    }
    one = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() +
          (sum < 0 ? 1 : 0); // so that the sum is needed
  }
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  return seconds[2];
}

} // namespace

Experiments experiment(const Options& options, const RowResult& row, const Measurement& m,
                       Device& device) {
  const Laboratory lab(options, row, *m.variant);
  Experiments found;
  found.on_host = device.on_host;
  found.threads = device.queue.threads;
  found.fits_cache = working_set(row.problem) <= double(device.last_level_cache);
  const double usual = lab.seconds_at(lab.size(), device);
  if (usual > 0) {
    const double work = lab.work_at(lab.size());
    found.work_twice = lab.work_at(2 * lab.size()) / work;
    found.work_four_times = lab.work_at(4 * lab.size()) / work;
    found.at_twice = lab.seconds_at(2 * lab.size(), device) / usual;
    found.at_four_times = lab.seconds_at(4 * lab.size(), device) / usual;
    if (!found.fits_cache) found.in_cache = lab.seconds_per_work_in_cache(device) / (usual / work);
    if (device.backend == "openmp" && found.threads > 1) {
      found.one_thread =
          lab.seconds_at(lab.size(), *open_device({std::string(device.backend), 1})) / usual;
      found.cores_are_free = seconds_of_threads(found.threads) < 1.5 * seconds_of_threads(1);
    }
    found.team_sizes = lab.team_sizes(device, usual);
    const double again = lab.seconds_at(lab.size(), device);
    found.again = again > 0 ? std::max(again, usual) / std::min(again, usual) : 1;
  }
  const std::vector<Access> accesses = accesses_of(row, *m.variant);
  found.global = cost_of(accesses, Space::global);
  found.shared = cost_of(accesses, Space::shared);
  found.waves = m.launches.waves();
  return found;
}

} // namespace ado::bench
