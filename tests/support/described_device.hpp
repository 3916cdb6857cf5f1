// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/run/run_facts.hpp>
#include <ado/registry/registry.hpp>

#include <cstring>

namespace ado::bench {

/// A device that exists only as a description.
class DescribedDevice : public Device {
public:
  DescribedDevice(int threads, std::size_t cache, std::size_t memory) {
    backend = backend_names().back(); // a GPU's comes first, if there is one
    queue.threads = threads;
    last_level_cache = cache;
    memory_bytes = memory;
  }
  DeviceMemory allocate(std::size_t, const std::string&) override { return {}; }
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_out(void*, const void*, std::size_t) override {}
  void fill(void*, std::size_t, std::uint64_t) override {}
  void flip(void*, std::size_t, std::uint64_t) override {}
  std::uint64_t checksum(const void*, std::size_t) override { return 0; }
  Elapsed run_timed(const std::function<void()>&, double) override { return {}; }
  void fence() override {}
  void read_all(const double*, std::size_t, std::size_t, double*) override {}
  void write_all(double*, std::size_t) override {}
  void copy_all(const double*, double*, std::size_t) override {}
  void read_scattered(const double*, std::size_t, double*) override {}
  void update_scattered(double*, std::size_t) override {}
  double multiply_add(Type, std::size_t, void*) override { return 0; }
  std::size_t ceiling_result_bytes(std::size_t) const override { return 0; }
  void launch_nothing() override {}
};

/// A described device with host memory, so that host variants run on it. Each run takes a
/// microsecond.
class HostMemoryDevice : public DescribedDevice {
public:
  HostMemoryDevice() : DescribedDevice(2, 1 << 20, std::size_t{1} << 30) {}
  DeviceMemory allocate(std::size_t bytes, const std::string& label) override {
    return allocate_on_host(bytes, label);
  }
  void copy_in(void* device, const void* host, std::size_t bytes) override {
    std::memcpy(device, host, bytes);
  }
  void copy_out(void* host, const void* device, std::size_t bytes) override {
    std::memcpy(host, device, bytes);
  }
  void fill(void* memory, std::size_t bytes, std::uint64_t pattern) override {
    host_fill(memory, bytes, pattern);
  }
  void flip(void* memory, std::size_t bytes, std::uint64_t bits) override {
    host_flip(memory, bytes, bits);
  }
  std::uint64_t checksum(const void* memory, std::size_t bytes) override {
    return host_checksum(memory, bytes);
  }
  Elapsed run_timed(const std::function<void()>& work, double) override {
    work();
    return {1e-6, 1e-6};
  }
};

/// A problem in f32 with made data, and its arrays on a device.
struct OnDevice {
  OnDevice(Device& device, std::string_view algorithm, const Shape& shape)
      : problem{find_algorithm(algorithm), shape, Type::f32},
        data(made(problem)),
        bench(device, data, 1) {}
  Problem problem;
  HostData data;
  Workbench bench;

private:
  static HostData made(const Problem& problem) {
    HostData data(problem);
    data.make(DataKind::uniform, 1);
    return data;
  }
};

/// A run with all its facts, some of which a format has to quote.
inline RunFacts described_facts() {
  return {.date = "2026-01-31T12:00:00Z",
          .host = "host,1",
          .cpu = "A \"fast\" CPU",
          .backend = "openmp",
          .device = "OpenMP, 3 threads",
          .version = "ado 1",
          .commit = "0123abc",
          .compiler = "GNU 12",
          .compiler_flags = "-O3",
          .build_type = "release",
          .kokkos = "4.7.2",
          .nvcc = "13.0.88",
          .driver = "580.65.06",
          .gpu_uuid = "GPU-6ab0",
          .command_line = {"miniapp", "--seed", "1", "--json", "r.json"},
          .environment = {{"OMP_PLACES", "cores"}}};
}

} // namespace ado::bench
