// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One way to compute an algorithm, type-erased: it shows neither Kokkos nor CUDA.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/registry/array.hpp>
#include <ado/registry/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

struct Access;
class StageRecorder;

/// Who wrote a variant.
enum class Model : std::uint8_t { serial, openmp, kokkos, cuda, kokkos_kernels, vendor };

inline constexpr std::array<std::string_view, 6> model_names{"serial", "openmp",         "kokkos",
                                                             "cuda",   "kokkos_kernels", "vendor"};
constexpr std::string_view name_of(Model model) {
  return model_names[static_cast<std::size_t>(model)];
}
/// Whether a variant of this model runs through Kokkos, on any of its backends.
constexpr bool is_portable(Model model) {
  return model == Model::kokkos || model == Model::kokkos_kernels;
}

/// Why a kernel is slower than memory could feed it, as far as another rung of its ladder cures
/// that.
enum class Cause : std::uint8_t {
  few_teams,      ///< too few to fill the device
  uncoalesced,    ///< the lanes of a warp touch many sectors
  bank_conflicts, ///< the lanes ask for different words of one bank
  few_bytes,      ///< narrow accesses, and few of them in flight
  none            ///< at the roof of memory, or nothing that a rung cures
};

/// Where one call runs. The caller owns what the pointers point to and keeps it alive.
struct Queue {
  const void* instance = nullptr; ///< the Kokkos execution space instance of the backend
  void* stream = nullptr;         ///< its cudaStream_t; null on the host
  int threads = 1;                ///< host threads that a hand-written CPU variant may use
  const void* ranks = nullptr;    ///< distributed::Comm of the ranks that run it; null: one
};

/// Launch parameters that a variant may leave to its caller; 0: the variant's own choice.
struct Launch {
  int team_size = 0;   ///< threads of a team, counting all vector lanes: a block's on a GPU
  int league_size = 0; ///< teams
  int stride = 0;      ///< elements between those that neighbouring lanes touch
};

/// One invocation. Work is asynchronous on the queue; arrays are in the order of Algorithm::arrays.
struct Call {
  Type type;
  Shape shape;
  std::array<Array, most_arrays> arrays; ///< inputs first, then outputs
  void* workspace = nullptr;       ///< at least Variant::workspace_bytes, aligned to 256 bytes
  Queue queue;                     ///< where the work goes
  Launch launch{};                 ///< only what the variant takes is set
  void* staging = nullptr;         ///< at least Variant::staging_bytes, aligned to 256 bytes
  StageRecorder* stages = nullptr; ///< to be told of stages (stages.hpp); null in timed runs
  /// How much of the first size the ranks before and behind have, if each has a part. The order of
  /// additions follows the whole, so that bits do not depend on the number of ranks.
  std::size_t before = 0, behind = 0;
};

/// A library that a variant calls.
struct Library {
  std::string text;      ///< its name, its version, and what else decides its speed
  std::string caution{}; ///< why its time says nothing, and what to do; empty: it counts
};

/// Backend name of variants that run on the host without Kokkos.
inline constexpr std::string_view host_backend = "host";

/// The record of a variant. HostVariant, PortableVariant and CudaVariant build it from a struct.
struct Variant {
  std::string_view algorithm;
  std::string_view name;
  Model model;
  std::string_view backend; ///< "host", "serial", "openmp", "cuda", ...
  TypeSet types;
  std::string_view summary; ///< what it teaches, in one line
  std::string_view file;    ///< source file that registered it
  void (*run)(const Call&);
  /// Roundings on the longest path from an input to an output in this variant's order of summation.
  /// With it, |error| <= gamma(steps) * sum of |terms| (Higham, Accuracy and Stability of Numerical
  /// Algorithms, 2nd ed., sections 3.1 and 4.2). 0 if data is only moved.
  double (*rounding_steps)(const Shape&, Type, const Launch&);
  /// Bytes of workspace that `run` needs; null: none.
  std::size_t (*workspace_bytes)(const Shape&, Type) = nullptr;
  /// Fills the workspace with what a program would hold from the start, say a in another layout.
  /// Runs untimed before each timed repetition; null: nothing to do.
  void (*prepare)(const Call&) = nullptr;
  /// What the warps of a GPU load and store in its main kernel (access_pattern.hpp counts the
  /// cost); null: the variant does not say.
  std::vector<Access> (*accesses)(const Shape&, Type, const Launch&) = nullptr;
  /// Whether the lesson is a launch parameter, so that callers may set it. `run` refuses a value
  /// that does not fit with InvalidArgument, naming the largest that does.
  bool takes_team_size = false, takes_league_size = false, takes_stride = false;
  /// Bytes of host memory that `run` needs between arrays and device; null: none.
  std::size_t (*staging_bytes)(const Shape&, Type) = nullptr;
  /// Whether that memory is pageable; else it is page-locked.
  bool pageable_staging = false;
  /// Of a variant by hand: the header whose kernel it shares with the portable variant of its name,
  /// so that their ratio covers only the rest; empty: it has a kernel of its own.
  std::string_view shared_kernel{};
  /// Of a portable variant: the name of another, with which it runs in turn if none by hand has its
  /// own name; empty: with the best by hand.
  std::string_view compared_with{};
  /// What it cures in the rungs below it.
  std::span<const Cause> cures{};
  /// Why it cannot take this shape, through no fault of its own: then it is skipped. Empty: it can.
  /// Null: it takes any.
  std::string (*unfit)(const Shape&, Type) = nullptr;
  /// The library that it calls; null: none, or it does not say.
  Library (*library)() = nullptr;
  /// Whether all ranks run it together, each on its part. Programs of one process leave it out.
  bool on_ranks = false;
};

} // namespace ado::bench
