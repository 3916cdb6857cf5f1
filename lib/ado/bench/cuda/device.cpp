// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An NVIDIA GPU: what CUDA times, copies, watches and reports better than Kokkos.
#include <ado/bench/cuda/check.hpp>
#include <ado/bench/cuda/copies.hpp>
#include <ado/bench/cuda/facts.hpp>
#include <ado/bench/cuda/launches.hpp>
#include <ado/bench/cuda/stages.hpp>
#include <ado/bench/device/nvml.hpp>
#include <ado/bench/kokkos/device.hpp>

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

namespace ado::bench {
namespace {

class CudaDevice : public KokkosDevice<Kokkos::Cuda> {
public:
  explicit CudaDevice(const BackendSpec& spec) : KokkosDevice(spec) {
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
    if (const std::string links = nvml_.links(address()); !links.empty())
      facts.emplace_back(links_fact, links);
  }

  std::vector<Queue> queues(std::size_t count) override {
    if (streams_.size() < count)
      streams_ = Kokkos::Experimental::partition_space(exec_, std::vector<int>(count, 1));
    std::vector<Queue> all;
    for (std::size_t k = 0; k < count; ++k)
      all.push_back({&streams_[k], streams_[k].cuda_stream(), queue.threads});
    return all;
  }
  void copy_in_on(const Queue& on, void* device, const void* host, std::size_t pitch,
                  std::size_t bytes, std::size_t rows) override {
    cuda_copy_in(on, device, host, pitch, bytes, rows);
  }
  void copy_out_on(const Queue& on, void* host, std::size_t pitch, const void* device,
                   std::size_t bytes, std::size_t rows) override {
    cuda_copy_out(on, host, pitch, device, bytes, rows);
  }
  void fence_on(const Queue& on) override { cuda_fence(on); }

  /// Times between two events of the stream, which is kept busy for `hold` seconds before the
  /// first.
  Elapsed run_timed(const std::function<void()>& work, double hold) override {
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
  void check_launch(std::string_view variant) override {
    // This runs between timed kernels, so it builds no text if all is well.
    if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
      check_cuda(status, "launching a kernel of " + std::string(variant));
  }

  void begin_region(const std::string& name) override {
    KokkosDevice::begin_region(name);
    nvtxRangePushA(name.c_str());
  }
  void end_region() override {
    nvtxRangePop();
    KokkosDevice::end_region();
  }

  /// First without Kokkos, which ends the program if a kernel faulted.
  void fence() override {
    check_cuda(cudaStreamSynchronize(exec_.cuda_stream()), "waiting for the device");
    KokkosDevice::fence();
  }
  /// Not by Kokkos, which would end the program if a kernel failed.
  void settle() override { static_cast<void>(cudaDeviceSynchronize()); }

  std::string lost() override {
    static_cast<void>(cudaGetLastError());
    std::size_t free = 0, total = 0; // after a fault every call returns it
    const cudaError_t status = cudaMemGetInfo(&free, &total);
    return status == cudaSuccess ? "" : cudaGetErrorString(status);
  }

  DeviceState state() override { return nvml_.state(address()); }
  Launches launches_of(const std::function<void()>& work) override {
    fence(); // ignore earlier launches
    return trace_launches(
        [&] {
          work();
          fence();
        },
        exec_.cuda_device_prop());
  }
  StageTimes stages_of(const std::function<void(StageRecorder&)>& work) override {
    fence();
    CudaStages stages(exec_.cuda_stream());
    const double start = HostStages::now();
    work(stages);
    const double stop = HostStages::now(); // now the output is in host memory
    check_cuda(cudaDeviceSynchronize(), "waiting for the device");
    return stages.times(start, stop);
  }
  void run_profiled(const std::string& range, const std::function<void()>& work) override {
    check_cuda(cudaProfilerStart(), "starting the profiler");
    nvtxRangePushA(range.c_str());
    try {
      work();
      fence();
    } catch (...) {
      nvtxRangePop();
      static_cast<void>(cudaProfilerStop());
      throw;
    }
    nvtxRangePop();
    check_cuda(cudaProfilerStop(), "stopping the profiler");
  }

private:
  /// In cycles of the multiprocessor clock at its fastest.
  std::int64_t cycles(double seconds) const {
    int kilohertz = 0;
    check_cuda(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, exec_.cuda_device()),
               "asking for the clock");
    return static_cast<std::int64_t>(seconds * 1e3 * kilohertz);
  }

  /// On the PCI bus; empty if CUDA does not say.
  std::string address() const {
    char text[32];
    return cudaDeviceGetPCIBusId(text, sizeof text, exec_.cuda_device()) == cudaSuccess ? text : "";
  }

  std::vector<Kokkos::Cuda> streams_; ///< for queues(): making one takes longer than a slice
  Nvml nvml_;
};

} // namespace

template <>
std::unique_ptr<Device> make_device<Kokkos::Cuda>(const BackendSpec& spec) {
  return std::make_unique<CudaDevice>(spec);
}

} // namespace ado::bench
