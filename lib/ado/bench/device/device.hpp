// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where cases run: one Kokkos execution space instance with its memory, stream and clock. The rest
// of the instrument sees this interface and no Kokkos.
#pragma once

#include <ado/bench/device/allowed_cpus.hpp>
#include <ado/bench/device/device_state.hpp>
#include <ado/bench/device/launch_facts.hpp>
#include <ado/bench/device/stage_times.hpp>
#include <ado/core/stages.hpp>
#include <ado/core/variant.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ado {

/// A backend and, on hosts, how many threads it may use: "openmp", "openmp:1", "cuda".
struct BackendSpec {
  std::string name;
  int threads = 0; ///< 0: all
};

/// What a run took, in seconds.
struct Elapsed {
  double queue = 0; ///< of the queue, from its start to its end
  double host = 0;  ///< until the host had launched it; on a host backend the same
};

/// Names of facts that the instrument asks for.
inline constexpr const char *driver_fact = "driver", *uuid_fact = "UUID", *links_fact = "links";

/// Memory of one array or workspace, given back when it goes.
using DeviceMemory = std::unique_ptr<void, std::function<void(void*)>>;

class Device {
public:
  virtual ~Device() = default;

  std::string backend;                                    ///< "openmp", "cuda", ...
  std::string description;                                ///< "OpenMP, 2 threads", "NVIDIA H200"
  std::vector<std::pair<std::string, std::string>> facts; ///< what else is known of it, by name
  bool on_host = true;          ///< kernels read host arrays directly; nothing is copied
  Queue queue;                  ///< what variants are given
  std::size_t memory_bytes = 0; ///< free for arrays when the device was opened
  std::optional<std::size_t>
      memory_cap;                   ///< what a case may take of it, where --device-memory says so
  std::size_t last_level_cache = 0; ///< bytes; 0 where unknown
  /// Threads of the host that wanted to run in the last minute, when the device was opened; negative
  /// where unknown.
  double load_average = -1;
  AllowedCpus cpus;         ///< of the host, when the device was opened
  bool kokkos_tool = false; ///< one of Kokkos' tools is loaded, which may fence around each kernel

  /// Bytes of arrays of which no cache serves much: four times the last level. A host may say that it has one of hundreds of
  /// megabytes, which it shares with cores of others; of that 128 MiB count, and 16 MiB for each thread.
  std::size_t beyond_cache() const;
  /// What is known of it by that name, or empty.
  std::string fact(std::string_view name) const;

  /// Uninitialized memory, aligned to 256 bytes or more. Throws OutOfMemory.
  virtual DeviceMemory allocate(std::size_t bytes, const std::string& label) = 0;
  /// The same of host memory that the device can copy by itself: page-locked, but on a host.
  virtual DeviceMemory allocate_staging(std::size_t bytes, const std::string& label);
  virtual void copy_in(void* device, const void* host, std::size_t bytes) = 0;
  virtual void copy_out(void* host, const void* device, std::size_t bytes) = 0;

  /// Queues whose work goes on at the same time, where the device can: streams of a GPU, made at the
  /// first call, and on a host the one queue again. What they run is not waited for by fence().
  virtual std::vector<Queue> queues(std::size_t count);
  /// Copies `rows` rows of `bytes`, which begin `pitch` bytes apart on the host, to one behind the other on
  /// the device when the work launched on `on` before is done; asynchronous where the host memory is of
  /// allocate_staging().
  virtual void copy_in_on(const Queue& on, void* device, const void* host, std::size_t pitch,
                          std::size_t bytes, std::size_t rows);
  /// The same, back to the host.
  virtual void copy_out_on(const Queue& on, void* host, std::size_t pitch, const void* device,
                           std::size_t bytes, std::size_t rows);
  /// Waits for all work on it; throws Error where the device reports a failure.
  virtual void fence_on(const Queue& on);

  /// Repeats the eight bytes of `pattern` over the memory. Asynchronous on the queue.
  virtual void fill(void* memory, std::size_t bytes, std::uint64_t pattern) = 0;
  /// Flips the bits of `mask` in each eight bytes. Asynchronous on the queue.
  virtual void flip(void* memory, std::size_t bytes, std::uint64_t mask) = 0;
  /// A sum over all bytes that changes with any of them and with their places.
  virtual std::uint64_t checksum(const void* memory, std::size_t bytes) = 0;
  /// Runs `work` and says what it took: on a GPU between two events, on a host between two fences.
  /// A GPU is kept busy for `hold` seconds first. Where the host launches all of `work` meanwhile,
  /// the time is the GPU's alone; else it waits for launches, and that is part of it.
  virtual Elapsed run_timed(const std::function<void()>& work, double hold) = 0;
  /// Throws Error, naming the kernel's variant, where the device refused to launch a kernel since
  /// the last call. Kokkos does not look.
  virtual void check_launch([[maybe_unused]] std::string_view variant) {}
  /// What is launched until end_region() belongs together in profilers: a region for Kokkos' tools,
  /// and with CUDA a range of NVTX.
  virtual void begin_region([[maybe_unused]] const std::string& name) {}
  virtual void end_region() {}
  /// How fast it may run now; unknown of a host, and where NVIDIA's library is missing.
  virtual DeviceState state() { return {}; }
  /// Waits for all work on the queue; throws Error where the device reports a failure.
  virtual void fence() = 0;
  /// Waits for all work on the device, on any queue, and says nothing of what failed: that is known.
  virtual void settle() {}
  /// Why it takes no work any more, whatever is called: a kernel faulted. Mostly empty.
  virtual std::string lost() { return ""; }

  /// Doubles that a vector of lanes sums in read_all(); its `count` is a multiple.
  static constexpr std::size_t read_row = 4096, read_period = 8192;
  /// The kernels that find the device's limits, timed like any variant. Sums `count` doubles. If `period`
  /// is less, data has so many, read again and again: a power of two, read_period or more.
  virtual void read_all(const double* data, std::size_t count, std::size_t period,
                        double* result) = 0;
  virtual void write_all(double* to, std::size_t count) = 0;
  virtual void copy_all(const double* from, double* to, std::size_t count) = 0;
  /// On a GPU: reads or stores the first number of each block of memory_block_bytes.
  virtual void read_scattered(const double* data, std::size_t blocks, double* result) = 0;
  virtual void update_scattered(double* to, std::size_t blocks) = 0;
  /// Chains of multiply-adds that fill the device; returns the floating-point operations done.
  virtual double multiply_add(Type type, std::size_t length, void* result) = 0;
  /// Bytes that `result` of the above must hold.
  virtual std::size_t ceiling_result_bytes(std::size_t read_count) const = 0;
  virtual void launch_nothing() = 0;

  /// Runs `work` and waits for it, in a range of that name that a profiler of the device sees.
  virtual void run_profiled([[maybe_unused]] const std::string& range,
                            const std::function<void()>& work) {
    work();
    fence();
  }

  /// Runs `work` once more and says which kernels it launches; where that cannot be known, why.
  virtual Launches launches_of([[maybe_unused]] const std::function<void()>& work) {
    return {{}, "backend " + backend + " does not tell them"};
  }

  /// Runs `work` once, with who wants to know of its stages, and says when they began and ended; where
  /// that cannot be known, why.
  virtual StageTimes stages_of(const std::function<void(StageRecorder&)>& work);
};

/// Restarts the program where the variant that ran last has lost the device.
void end_if_lost(Device& device);

/// The release of Kokkos that the program was built with: "4.7.2".
std::string kokkos_version();
/// The backends of this program's Kokkos, its default first.
std::vector<std::string> backend_names();
/// The backend that an empty --backend means.
std::string default_backend();

/// Opens a backend of this program. Kokkos must be initialized. Throws Error, naming the backends
/// there are, for one that is not.
std::unique_ptr<Device> open_device(const BackendSpec& spec);

} // namespace ado
