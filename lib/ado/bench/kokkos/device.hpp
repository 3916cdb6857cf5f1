// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device through Kokkos alone: all that a host needs. Where a GPU's own runtime measures better,
// a derived class overrides it (cuda/device.cpp).
#pragma once

#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/kokkos/kernels.hpp>
#include <ado/bench/kokkos/limits.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

namespace ado::bench {

template <class Exec>
class KokkosDevice : public KokkosLimits<Exec> {
protected:
  using KokkosLimits<Exec>::exec_;
  using typename KokkosLimits<Exec>::Range;

public:
  using Device::on_host, Device::backend, Device::queue, Device::description, Device::kokkos_tool,
      Device::last_level_cache, Device::memory_bytes, Device::facts, Device::load_average,
      Device::cpus;

  explicit KokkosDevice(const BackendSpec& spec) : KokkosLimits<Exec>(make_instance(spec)) {
    on_host = runs_on_host<Exec>;
    backend = spec.name;
    queue.instance = &exec_;
    // In a Kokkos with deprecated code, concurrency() is static and asks the default instance.
    queue.threads = spec.threads > 0 ? spec.threads : static_cast<int>(exec_.concurrency());
    kokkos_tool = Kokkos::Tools::profileLibraryLoaded();
    last_level_cache = host_last_level_cache();
    memory_bytes = available_host_memory();
    load_average = host_load_average();
    cpus = allowed_cpus();
    if (on_host) facts.emplace_back("pages", host_pages_text());
    description = std::string(Exec::name()) + ", " +
                  counted(static_cast<std::size_t>(queue.threads), "thread");
  }
  ~KokkosDevice() override { exec_.fence("ado: closing a device"); }

  DeviceMemory allocate(std::size_t bytes, const std::string& label) override {
    if constexpr (runs_on_host<Exec>) {
      return allocate_on_host(bytes, label);
    } else {
      return allocate_in(typename Exec::memory_space(), bytes, label);
    }
  }

  DeviceMemory allocate_staging(std::size_t bytes, const std::string& label) override {
    if constexpr (runs_on_host<Exec>) {
      return Device::allocate_staging(bytes, label);
    } else {
      return allocate_in(Kokkos::SharedHostPinnedSpace(), bytes, label);
    }
  }

  void copy_in(void* device, const void* host, std::size_t bytes) override {
    copy<typename Exec::memory_space, Kokkos::HostSpace>(device, host, bytes);
  }
  void copy_out(void* host, const void* device, std::size_t bytes) override {
    copy<Kokkos::HostSpace, typename Exec::memory_space>(host, device, bytes);
  }

  void fill(void* memory, std::size_t bytes, std::uint64_t pattern) override {
    auto* words = static_cast<std::uint64_t*>(memory);
    // Allocations are multiples of eight bytes, so the last word may be filled whole.
    Kokkos::parallel_for("ado::fill", Range(exec_, 0, ceil_div(bytes, 8)),
                         FillKernel{words, pattern});
  }

  void flip(void* memory, std::size_t bytes, std::uint64_t mask) override {
    Kokkos::parallel_for("ado::flip", Range(exec_, 0, ceil_div(bytes, 8)),
                         FlipKernel{static_cast<std::uint64_t*>(memory), mask});
  }

  std::uint64_t checksum(const void* memory, std::size_t bytes) override {
    using Kernel = ChecksumKernel<Exec>;
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce("ado::checksum", Range(exec_, 0, ceil_div(bytes / 8, Kernel::each)),
                            Kernel{static_cast<const std::uint64_t*>(memory), bytes / 8}, sum);
    exec_.fence();
    if (const std::size_t rest = bytes % 8; rest != 0) {
      std::uint64_t last = 0;
      copy_out(&last, static_cast<const std::byte*>(memory) + bytes - rest, rest);
      sum += last * Kernel::place_key;
    }
    return sum;
  }

  Elapsed run_timed(const std::function<void()>& work, double) override {
    exec_.fence("ado: before a timed run");
    const double seconds = host_seconds([&] {
      work();
      exec_.fence("ado: after a timed run");
    });
    return {seconds, seconds};
  }

  void begin_region(const std::string& name) override { Kokkos::Profiling::pushRegion(name); }
  void end_region() override { Kokkos::Profiling::popRegion(); }

  void fence() override { exec_.fence("ado: instrument"); }
  void settle() override {
    try {
      Kokkos::fence("ado: after a failure");
    } catch (const std::exception&) { // the failure is known, or the next call reports it
    }
  }

protected:
  static double host_seconds(const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  /// Not kokkos_malloc, which puts a header of 128 bytes before what it returns. Large arrays get
  /// whole 64 KiB pages because other GPUs write into them (peer_page_bytes in
  /// distributed/peer_plan.hpp).
  template <class Space>
  static DeviceMemory allocate_in(const Space& space, std::size_t bytes, const std::string& label) {
    const std::string name = "ado::" + label;
    constexpr std::size_t page = 65536;
    const bool is_large =
        bytes >= 16 * page && bytes <= PTRDIFF_MAX; // larger sizes cannot be had, and would wrap
    const std::size_t size = is_large ? round_up(bytes, page) : std::max<std::size_t>(bytes, 1);
    try {
      return {space.allocate(name.c_str(), size),
              [name, size](void* memory) { Space().deallocate(name.c_str(), memory, size); }};
    } catch (const std::runtime_error&) {
      throw OutOfMemory(label, bytes);
    }
  }

  static Exec make_instance(const BackendSpec& spec) {
#ifdef KOKKOS_ENABLE_OPENMP
    if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>)
      if (spec.threads > 0) return Kokkos::OpenMP(spec.threads);
#endif
    if (spec.threads > 0)
      throw Error("--backend " + spec.name + ":" + std::to_string(spec.threads) +
                  ": a thread count can be given for openmp only");
    return Exec();
  }

  template <class To, class From>
  void copy(void* to, const void* from, std::size_t bytes) {
    using Bytes = Kokkos::View<std::byte*, To, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using ConstBytes =
        Kokkos::View<const std::byte*, From, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(exec_, Bytes(static_cast<std::byte*>(to), bytes),
                      ConstBytes(static_cast<const std::byte*>(from), bytes));
    exec_.fence("ado: copied");
  }
};

/// The device of one execution space. A GPU with a class of its own has a specialization, declared
/// in device.cpp.
template <class Exec>
std::unique_ptr<Device> make_device(const BackendSpec& spec) {
  return std::make_unique<KokkosDevice<Exec>>(spec);
}

} // namespace ado::bench
