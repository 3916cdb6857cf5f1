// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device on every execution space of this program's Kokkos.
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/kokkos/kernels.hpp>
#include <ado/bench/kokkos/limits.hpp>
#include <ado/core/error.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <ado/bench/cuda/check.hpp>
#include <ado/bench/cuda/copies.hpp>
#include <ado/bench/cuda/facts.hpp>
#include <ado/bench/cuda/launches.hpp>
#include <ado/bench/cuda/profile.hpp>
#include <ado/bench/cuda/stages.hpp>
#include <ado/bench/device/nvml.hpp>

#include <nvtx3/nvToolsExt.h>
#endif

#include <algorithm>
#include <chrono>

namespace ado {

namespace {

template <class Exec>
class KokkosDevice : public KokkosLimits<Exec> {
  using KokkosLimits<Exec>::exec_;
  using typename KokkosLimits<Exec>::Range;
  using Device::on_host, Device::backend, Device::queue, Device::facts, Device::description,
      Device::kokkos_tool, Device::last_level_cache, Device::memory_bytes, Device::load_average;

public:
  explicit KokkosDevice(const BackendSpec& spec) : KokkosLimits<Exec>(make_instance(spec)) {
    on_host = runs_on_host<Exec>;
    backend = spec.name;
    queue.instance = &exec_;
    // A Kokkos with deprecated code has a static concurrency(), which is the default instance's.
    queue.threads = spec.threads > 0 ? spec.threads : static_cast<int>(exec_.concurrency());
    describe();
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

#ifdef KOKKOS_ENABLE_CUDA
  std::vector<Queue> queues(std::size_t count) override {
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      if (streams_.size() < count)
        streams_ = Kokkos::Experimental::partition_space(exec_, std::vector<int>(count, 1));
      std::vector<Queue> all;
      for (std::size_t k = 0; k < count; ++k)
        all.push_back({&streams_[k], streams_[k].cuda_stream(), queue.threads});
      return all;
    }
    return Device::queues(count);
  }

  void copy_in_on(const Queue& on, void* device, const void* host, std::size_t pitch,
                  std::size_t bytes, std::size_t rows) override {
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      return cuda_copy_in(on, device, host, pitch, bytes, rows);
    Device::copy_in_on(on, device, host, pitch, bytes, rows);
  }
  void copy_out_on(const Queue& on, void* host, std::size_t pitch, const void* device,
                   std::size_t bytes, std::size_t rows) override {
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      return cuda_copy_out(on, host, pitch, device, bytes, rows);
    Device::copy_out_on(on, host, pitch, device, bytes, rows);
  }
  void fence_on(const Queue& on) override {
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return cuda_fence(on);
    Device::fence_on(on);
  }
#endif

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
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce("ado::checksum", Range(exec_, 0, bytes / 8),
                            ChecksumKernel{static_cast<const std::uint64_t*>(memory)}, sum);
    exec_.fence();
    if (const std::size_t rest = bytes % 8; rest != 0) {
      std::uint64_t last = 0;
      copy_out(&last, static_cast<const std::byte*>(memory) + bytes - rest, rest);
      sum += last * 0x9e3779b97f4a7c15u;
    }
    return sum;
  }

  Elapsed run_timed(const std::function<void()>& work, [[maybe_unused]] double hold) override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return run_between_events(work, hold);
#endif
    exec_.fence("ado: before a timed run");
    const double seconds = host_seconds([&] {
      work();
      exec_.fence("ado: after a timed run");
    });
    return {seconds, seconds};
  }

#ifdef KOKKOS_ENABLE_CUDA
  void check_launch(std::string_view variant) override {
    // This stands between timed kernels, so no text is made where all is well.
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
        check_cuda(status, "launching a kernel of " + std::string(variant));
  }
#endif

  void begin_region(const std::string& name) override {
    Kokkos::Profiling::pushRegion(name);
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) nvtxRangePushA(name.c_str());
#endif
  }
  void end_region() override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) nvtxRangePop();
#endif
    Kokkos::Profiling::popRegion();
  }

#ifdef KOKKOS_ENABLE_CUDA
  DeviceState state() override {
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      char address[32];
      if (cudaDeviceGetPCIBusId(address, sizeof address, exec_.cuda_device()) == cudaSuccess)
        return nvml_.state(address);
    }
    return {};
  }
#endif

  void fence() override {
    exec_.fence("ado: harness");
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      check_cuda(cudaStreamSynchronize(exec_.cuda_stream()), "waiting for the device");
#endif
  }

  void settle() override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) { // Kokkos would end the program
      static_cast<void>(cudaDeviceSynchronize());
      return;
    }
#endif
    try {
      Kokkos::fence("ado: after a failure");
    } catch (const std::exception&) { // that failure or the next one's to say
    }
  }

  Launches launches_of(const std::function<void()>& work) override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      fence(); // what was launched before does not count
      return trace_launches(
          [&] {
            work();
            fence();
          },
          exec_.cuda_device_prop());
    }
#endif
    return Device::launches_of(work);
  }

#ifdef KOKKOS_ENABLE_CUDA
  StageTimes stages_of(const std::function<void(StageRecorder&)>& work) override {
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      fence();
      CudaStages stages(exec_.cuda_stream());
      const double start = HostStages::now();
      work(stages);
      const double stop = HostStages::now(); // the output is in host memory
      check_cuda(cudaDeviceSynchronize(), "waiting for the device");
      return stages.times(start, stop);
    }
    return Device::stages_of(work);
  }
#endif

  void run_profiled(const std::string& range, const std::function<void()>& work) override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      return ado::run_profiled(range, [&] {
        work();
        fence();
      });
#endif
    Device::run_profiled(range, work);
  }

private:
  /// Not kokkos_malloc: it puts a header of 128 bytes before what it returns.
  template <class Space>
  static DeviceMemory allocate_in(const Space& space, std::size_t bytes, const std::string& label) {
    const std::string name = "ado::" + label;
    const std::size_t size = std::max<std::size_t>(bytes, 1);
    try {
      return {space.allocate(name.c_str(), size),
              [name, size](void* memory) { Space().deallocate(name.c_str(), memory, size); }};
    } catch (const std::runtime_error&) {
      throw OutOfMemory(label, bytes);
    }
  }

  static double host_seconds(const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
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

  void describe() {
    kokkos_tool = Kokkos::Tools::profileLibraryLoaded();
    last_level_cache = host_last_level_cache();
    memory_bytes = available_host_memory();
    load_average = host_load_average();
    description = std::string(Exec::name()) + ", " +
                  counted(static_cast<std::size_t>(queue.threads), "thread");
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
      queue.stream = exec_.cuda_stream();
      queue.threads = host_threads();
      const cudaDeviceProp& device = exec_.cuda_device_prop();
      last_level_cache = static_cast<std::size_t>(device.l2CacheSize);
      std::size_t total = 0;
      check_cuda(cudaMemGetInfo(&memory_bytes, &total), "asking for free memory");
      description = std::string(device.name) + ", device " + std::to_string(exec_.cuda_device()) +
                    ", " + std::to_string(device.multiProcessorCount) + " multiprocessors";
      facts = cuda_facts(exec_.cuda_device());
      if (const std::string driver = nvml_.driver(); !driver.empty())
        facts.emplace_back(driver_fact, driver);
    }
#endif
  }

#ifdef KOKKOS_ENABLE_CUDA
  /// Of a multiprocessor's clock at its fastest.
  std::int64_t cycles(double seconds) const {
    int kilohertz = 0;
    check_cuda(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, exec_.cuda_device()),
               "asking for the clock");
    return static_cast<std::int64_t>(seconds * 1e3 * kilohertz);
  }

  Elapsed run_between_events(const std::function<void()>& work, double hold) {
    struct Event {
      cudaEvent_t event{};
      Event() { check_cuda(cudaEventCreate(&event), "creating an event"); }
      ~Event() { static_cast<void>(cudaEventDestroy(event)); }
    } start, stop;
    if (hold > 0) Kokkos::parallel_for("ado::hold", Range(exec_, 0, 1), HoldKernel{cycles(hold)});
    check_cuda(cudaEventRecord(start.event, exec_.cuda_stream()), "recording an event");
    const double host = host_seconds(work);
    check_cuda(cudaEventRecord(stop.event, exec_.cuda_stream()), "recording an event");
    check_cuda(cudaEventSynchronize(stop.event), "running a kernel");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, start.event, stop.event), "reading the clock");
    return {1e-3 * static_cast<double>(milliseconds), host};
  }
#endif

#ifdef KOKKOS_ENABLE_CUDA
  std::vector<Exec> streams_; ///< of queues(): making one takes longer than a slice
  Nvml nvml_;
#endif
};

} // namespace

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) +
         "." + std::to_string(KOKKOS_VERSION % 100);
}

std::string default_backend() {
  std::string name;
  for_each_space([&]<class Exec>(std::string_view backend) {
    if (std::is_same_v<Exec, Kokkos::DefaultExecutionSpace>) name = backend;
  });
  return name;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names{default_backend()};
  for_each_space([&]<class Exec>(std::string_view backend) {
    if (backend != names.front()) names.emplace_back(backend);
  });
  return names;
}

std::unique_ptr<Device> open_device(const BackendSpec& spec) {
  std::unique_ptr<Device> device;
  for_each_space([&]<class Exec>(std::string_view backend) {
    if (backend == spec.name) device = std::make_unique<KokkosDevice<Exec>>(spec);
  });
  if (device) return device;
  std::string known;
  for (const std::string& name : backend_names())
    known += (known.empty() ? "" : ", ") + name;
  throw Error("no backend '" + spec.name + "' in this build; it has " + known);
}

} // namespace ado
