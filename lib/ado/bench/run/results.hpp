// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything a run found out and what follows from it, for both table and record.
#pragma once

#include <ado/bench/measure/ceilings.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/stats/statistics.hpp>
#include <ado/bench/stream/slices.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// One measured row. `portable`, `native` and `reference` have no variant if the row has none.
struct RowResult {
  Problem problem;
  std::string name;
  Measurement portable{}, native{}, reference{};
  std::string no_native{}, no_reference{}; ///< why it is missing although wanted
  Launch launch{};
  bool in_sweep = false;                 ///< a sweep of launch parameters
  bool brief = false;                    ///< only a few runs, which decide nothing
  std::optional<StreamFacts> streamed{}; ///< if its arrays exceed the device's memory
  std::vector<Ratio> processes{};        ///< the ratio in each, if several measured; else empty

  /// The subject of the row: the portable side if it was timed, else the native one.
  const Measurement& subject() const { return portable.seconds.empty() ? native : portable; }
  Traffic traffic() const { return traffic_of(*problem.algorithm, problem.shape, problem.type); }
};

struct Results {
  const Device* device = nullptr;
  Ceilings ceilings;
  std::string reference; ///< name of the reference; empty: none
  std::vector<RowResult> rows;
  StopRule stop{}; ///< what was asked for
  std::optional<double> max_ratio{};
  int processes = 1;
  std::size_t places = 1; ///< programs with their code at different places, one for each process
  /// When the interrupted processes that measured the first rows began; usually none.
  std::vector<std::string> interrupted_runs{};
};

/// Whether the native variant, the best one, only stands beside a rung that has no twin.
bool stands_in(const Variant* variant, const Variant* portable);

/// Whether the arrays are so small that caches may affect the times.
bool may_stay_in_cache(const Problem& problem, const Device& device);

/// The header whose kernel both variants of the row run (Variant::shared_kernel); empty: they run
/// two.
std::string_view shared_kernel(const RowResult& row);
/// Whether times scatter more than allowed.
bool too_noisy(const Results& results, const Measurement& m);
/// Portable time over native time; absent if one has no times. If several processes measured, each
/// one's ratio is one sample.
std::optional<Ratio> portable_over_native(const RowResult& row);
/// By how much its logarithm scatters, as a standard deviation.
struct Scatter {
  double between = 0; ///< from one process to the next
  double within = 0;  ///< as far as the runs of one process tell
};
/// Of a row that several processes measured; absent if one of them has no interval.
std::optional<Scatter> scatter_of_processes(const RowResult& row);
/// Whether all pairs of runs agree, by a tenth or more, on who is faster: good enough for too few
/// runs to give an interval.
bool all_agree(const RowResult& row);
/// Bytes that leave a rank in a run, and then their share of the measured exchange bandwidth;
/// absent if ranks send each other hardly anything, or there is only one.
std::optional<double> bytes_sent(const RowResult& row);
std::optional<double> share_of_exchange(const Results& results, const RowResult& row,
                                        const Measurement& m);
/// The least time that the measured ceilings allow, over the measured time.
double share_of_ceiling(const Results& results, const RowResult& row, const Measurement& m);
/// How too_fast() begins.
inline constexpr std::string_view faster_than_memory = "not verified: memory needs ";
/// Why nobody may believe a time: memory would take at least three times as long, and no cache
/// holds the arrays. Empty: it is possible. Disturbed ceilings are rarely off by that much.
std::string too_fast(const Results& results, const RowResult& row, const Measurement& m);
std::string_view limiter(const Results& results, const RowResult& row, const Measurement& m);
/// The share_of_ceiling() to expect if memory were the limit and no cache kept anything between
/// accesses. The access formulas of `m` predict it, in a GPU's bursts and sectors or a CPU's cache
/// lines, at the measured ceilings. Absent without declared accesses or ceilings.
std::optional<double> predicted_share(const Results& results, const RowResult& row,
                                      const Measurement& m);
/// The accesses that the variant declares for that row. Nothing if it declares none or rows are
/// padded: the formulas are for packed arrays.
std::vector<Access> accesses_of(const RowResult& row, const Variant& variant);
/// How much faster `m` is than the reference, which ran before it, not in turn; absent if one has
/// no times.
std::optional<Ratio> speedup(const RowResult& row, const Measurement& m);

/// What held the GPU's clock down around the timed runs of a row; usually empty.
std::string throttled(const RowResult& row);

/// Whether other programs kept a tenth of the cores busy before the run, and at least half of one.
bool has_other_work(const Device& device);
/// The warning about it; empty: no other work.
std::string load_warning(const Device& device);

/// What to know before reading any number, one line each: unverified results, a tool that slows the
/// runs, a library with kernels for another CPU, other work on the machine, a throttled clock.
std::vector<std::string> warnings(const Results& results);
/// In how many rows the GPU's clock was held down; empty: in none.
std::string throttle_warning(const Results& results);

/// Exit status of a run: 0 all verified, except variants without the element type; 1 a result was
/// wrong; else 2 a variant refused its launch parameters (no error in a sweep); 3 something could
/// not run, usually for lack of memory; 6 results were not checked; 5 times scatter more than
/// allowed.
int exit_status(const Results& results);

} // namespace ado::bench
