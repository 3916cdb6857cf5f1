// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything a run found out, and what follows from it: what the table and the record both say.
#pragma once

#include <ado/bench/measure/ceilings.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/stats/statistics.hpp>
#include <ado/bench/stream/slices.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// One measured row. `portable`, `native` and `reference` have no variant where the row has none.
struct RowResult {
  Problem problem;
  std::string name;
  Measurement portable{}, native{}, reference{};
  std::string no_native{}, no_reference{}; ///< why it is missing, where it was wanted
  Launch launch{};
  bool in_sweep = false;                 ///< of launch parameters
  bool brief = false;                    ///< a few runs, which decide nothing
  std::optional<StreamFacts> streamed{}; ///< where its arrays are larger than the device's memory

  /// What the row is about: the portable side where that was timed, else the native one.
  const Measurement& subject() const { return portable.seconds.empty() ? native : portable; }
  Traffic traffic() const { return traffic_of(*problem.algorithm, problem.shape, problem.type); }
};

struct Results {
  const Device* device = nullptr;
  Ceilings ceilings;
  std::string reference; ///< name of the reference, empty: none
  std::vector<RowResult> rows;
  StopRule stop{}; ///< what was asked for
  std::optional<double> max_ratio{};
  /// When the processes began that measured the first rows and were interrupted; mostly none.
  std::vector<std::string> interrupted_runs{};
};

/// Whether a native variant is only there to be compared with a portable one that is no twin: the best one, in the rows
/// of rungs that have none.
bool stands_in(const Variant* variant, const Variant* portable);

/// Whether the arrays are too small to keep the cache out of the measurement.
bool may_stay_in_cache(const Problem& problem, const Device& device);

/// The header whose kernel both variants of the row run (Variant::shared_kernel); empty where they are two.
std::string_view shared_kernel(const RowResult& row);
/// Whether the times scatter more than was asked for.
bool too_noisy(const Results& results, const Measurement& m);
/// Portable time over native time; absent where one of them has no times.
std::optional<Ratio> portable_over_native(const RowResult& row);
/// Whether all pairs of runs agree who is faster, by a tenth and more: so few that they give no interval may say that.
bool is_plain(const RowResult& row);
/// Bytes that leave a rank in a run, and the share of the measured exchange that this is; absent where ranks send
/// each other hardly anything, or there is one.
std::optional<double> bytes_sent(const RowResult& row);
std::optional<double> share_of_exchange(const Results& results, const RowResult& row,
                                        const Measurement& m);
/// The least time that the measured ceilings allow, over the measured time.
double share_of_ceiling(const Results& results, const RowResult& row, const Measurement& m);
std::string_view limiter(const Results& results, const RowResult& row, const Measurement& m);
/// What share_of_ceiling() would be if memory were the limit and no cache kept anything from one access to the next,
/// predicted from the formulas of the accesses of `m`: a GPU's bursts and sectors or a CPU's cache lines, at the
/// measured ceilings. Absent where the variant does not declare them, or there are none.
std::optional<double> predicted_share(const Results& results, const RowResult& row,
                                      const Measurement& m);
/// What the variant declares of its accesses in that row. Nothing where it declares none, and where rows lie apart:
/// the formulas are of packed arrays.
std::vector<Access> accesses_of(const RowResult& row, const Variant& variant);
/// How much faster `m` is than the reference, which ran before and not in turn with it; absent where
/// one of them has no times.
std::optional<Ratio> speedup(const RowResult& row, const Measurement& m);

/// What held the GPU's clock down around the timed runs of a row; mostly empty.
std::string throttled(const RowResult& row);

/// Whether other programs kept a tenth of the cores busy before the run, and half of one at least.
bool has_other_work(const Device& device);
/// That it was so; empty where it was not.
std::string load_warning(const Device& device);

/// What has to be known before any number is read: results that nobody looked at, a tool that slows
/// the runs, a library that takes kernels for another CPU, other work on the machine, and a clock that was held down. A line each.
std::vector<std::string> warnings(const Results& results);
/// In how many rows the GPU's clock was held down; empty where in none.
std::string throttle_warning(const Results& results);

/// Exit status of a run: 0 all verified, but for variants without the element type; 1 a result was
/// wrong; else 2 a variant refused its launch parameters, which in a sweep is no mistake; 3
/// something could not be run, for want of memory mostly; 6 nobody looked at the results; 5 times scatter
/// more than was asked for.
int exit_status(const Results& results);

} // namespace ado
