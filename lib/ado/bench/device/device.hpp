// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where cases run: one Kokkos execution space instance with its memory, stream and clock. The rest
// of the instrument sees this interface and no Kokkos.
#pragma once

#include <ado/bench/device/allowed_cpus.hpp>
#include <ado/bench/device/device_state.hpp>
#include <ado/bench/device/launch_facts.hpp>
#include <ado/bench/device/stage_times.hpp>
#include <ado/registry/stages.hpp>
#include <ado/registry/variant.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ado::bench {

/// A backend and, on hosts, how many threads it may use: "openmp", "openmp:1", "cuda".
struct BackendSpec {
  std::string name;
  int threads = 0; ///< 0: all
};

/// How long a run took, in seconds.
struct Elapsed {
  double queue = 0; ///< on the queue, from start to end
  double host = 0;  ///< until the host had launched it; the same on a host backend
};

/// Names of facts that the instrument looks up.
inline constexpr const char *driver_fact = "driver", *uuid_fact = "UUID", *links_fact = "links";

/// Memory of one array or workspace, freed when it goes.
using DeviceMemory = std::unique_ptr<void, std::function<void(void*)>>;

class Device {
public:
  virtual ~Device() = default;

  std::string backend;                                    ///< "openmp", "cuda", ...
  std::string description;                                ///< "OpenMP, 2 threads", "NVIDIA H200"
  std::vector<std::pair<std::string, std::string>> facts; ///< other facts, by name
  std::vector<std::string> ranks; ///< host and device of each process; empty: this one is alone
  std::string mpi;                ///< the library that joined them
  bool on_host = true;            ///< kernels read host arrays directly; nothing is copied
  Queue queue;                    ///< what variants are given
  std::size_t memory_bytes = 0;   ///< free for arrays when the device was opened
  std::optional<std::size_t> memory_cap; ///< what a case may take of it, if --device-memory says so
  std::size_t last_level_cache = 0;      ///< bytes; 0: unknown
  /// Host threads that wanted to run in the last minute, when the device was opened; negative:
  /// unknown.
  double load_average = -1;
  AllowedCpus cpus;         ///< of the host, when the device was opened
  bool kokkos_tool = false; ///< a Kokkos tool is loaded, which may fence around each kernel

  /// Bytes of arrays that caches hardly help: four times the last level. A host may report hundreds
  /// of megabytes that it shares with others' cores; of those at most 128 MiB count, plus 16 MiB
  /// per thread.
  std::size_t beyond_cache() const;
  /// The fact of that name, or empty.
  std::string fact(std::string_view name) const;

  /// Uninitialized memory, aligned to 256 bytes or more. Throws OutOfMemory.
  virtual DeviceMemory allocate(std::size_t bytes, const std::string& label) = 0;
  /// The same in host memory that the device can copy by itself: page-locked for a GPU.
  virtual DeviceMemory allocate_staging(std::size_t bytes, const std::string& label);
  virtual void copy_in(void* device, const void* host, std::size_t bytes) = 0;
  virtual void copy_out(void* host, const void* device, std::size_t bytes) = 0;

  /// Queues that work concurrently if the device can: a GPU's streams, made at the first call; on a
  /// host the one queue again. fence() does not wait for them.
  virtual std::vector<Queue> queues(std::size_t count);
  /// Copies `rows` rows of `bytes`, `pitch` bytes apart on the host, to packed rows on the device,
  /// after earlier work on `on`. Asynchronous if the host memory is from allocate_staging().
  virtual void copy_in_on(const Queue& on, void* device, const void* host, std::size_t pitch,
                          std::size_t bytes, std::size_t rows);
  /// The same, back to the host.
  virtual void copy_out_on(const Queue& on, void* host, std::size_t pitch, const void* device,
                           std::size_t bytes, std::size_t rows);
  /// Waits for all work on it; throws Error if the device reports a failure.
  virtual void fence_on(const Queue& on);

  /// Repeats the eight bytes of `pattern` over the memory. Asynchronous on the queue.
  virtual void fill(void* memory, std::size_t bytes, std::uint64_t pattern) = 0;
  /// Flips the bits of `mask` in every eight bytes. Asynchronous on the queue.
  virtual void flip(void* memory, std::size_t bytes, std::uint64_t mask) = 0;
  /// A checksum of all bytes that depends on their values and places.
  virtual std::uint64_t checksum(const void* memory, std::size_t bytes) = 0;
  /// Runs `work` and times it: on a GPU between two events, on a host between two fences. A GPU is
  /// first kept busy for `hold` seconds. If the host launches all of `work` meanwhile, the time is
  /// the GPU's alone; else it includes waits for launches.
  virtual Elapsed run_timed(const std::function<void()>& work, double hold) = 0;
  /// Throws Error, naming the kernel's variant, if the device refused a launch since the last call.
  /// Kokkos does not check.
  virtual void check_launch([[maybe_unused]] std::string_view variant) {}
  /// All launches until end_region() belong together in profilers: a region for Kokkos tools, and
  /// with CUDA an NVTX range.
  virtual void begin_region([[maybe_unused]] const std::string& name) {}
  virtual void end_region() {}
  /// How fast it may run now; unknown for a host, and without NVIDIA's library.
  virtual DeviceState state() { return {}; }
  /// Waits for all work on the queue; throws Error if the device reports a failure.
  virtual void fence() = 0;
  /// Waits for all work on the device, on any queue, and ignores failures: they are known.
  virtual void settle() {}
  /// Why it takes no more work: a kernel faulted. Usually empty.
  virtual std::string lost() { return ""; }

  /// Doubles that a vector of lanes sums in read_all(); its `count` is a multiple of it.
  static constexpr std::size_t read_row = 4096, read_period = 8192;
  /// The kernels that find the device's limits, timed like any variant. This one sums `count`
  /// doubles. With a smaller `period`, a power of two and at least read_period, it reads that many
  /// again and again.
  virtual void read_all(const double* data, std::size_t count, std::size_t period,
                        double* result) = 0;
  virtual void write_all(double* to, std::size_t count) = 0;
  virtual void copy_all(const double* from, double* to, std::size_t count) = 0;
  /// On a GPU: reads or stores the first number of each block of memory_block_bytes.
  virtual void read_scattered(const double* data, std::size_t blocks, double* result) = 0;
  virtual void update_scattered(double* to, std::size_t blocks) = 0;
  /// Chains of multiply-adds that fill the device; returns its floating-point operations.
  virtual double multiply_add(Type type, std::size_t length, void* result) = 0;
  /// Bytes that `result` of these kernels must hold.
  virtual std::size_t ceiling_result_bytes(std::size_t read_count) const = 0;
  virtual void launch_nothing() = 0;

  /// Runs `work` and waits for it, in a range of that name that the device's profiler sees.
  virtual void run_profiled([[maybe_unused]] const std::string& range,
                            const std::function<void()>& work) {
    work();
    fence();
  }

  /// Runs `work` once more and reports which kernels it launches, or why that is unknown.
  virtual Launches launches_of([[maybe_unused]] const std::function<void()>& work) {
    return {{}, "backend " + backend + " does not tell them"};
  }

  /// Runs `work` once with a recorder and reports when its stages began and ended, or why that is
  /// unknown.
  virtual StageTimes stages_of(const std::function<void(StageRecorder&)>& work);
};

/// Restarts the program if the last variant has lost the device.
void end_if_lost(Device& device);

/// The Kokkos release that the program was built with: "4.7.2".
std::string kokkos_version();
/// The backends of this program's Kokkos, the default first.
std::vector<std::string> backend_names();
/// The backend that an empty --backend means.
std::string default_backend();

/// Opens a backend of this program. Kokkos must be initialized. Throws Error for an unknown one and
/// names those there are.
std::unique_ptr<Device> open_device(const BackendSpec& spec);

} // namespace ado::bench
