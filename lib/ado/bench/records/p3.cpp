// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/csv.hpp>
#include <ado/bench/records/p3.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace ado::bench {
namespace {

/// What a row shows for one application.
struct Shown {
  double seconds = 0;         ///< the median of its runs
  double ceiling_seconds = 0; ///< least time that the measured ceilings allow
};

/// What one application achieves on one problem.
struct Achievement {
  std::string problem, application;
  std::vector<Shown> shown{}; ///< one for each row that has it
  bool failed = false;        ///< in one of them, so it achieves nothing

  /// The middle row's figures, since figures of different rows do not mix. Absent if it failed.
  std::optional<Shown> middle() const {
    if (failed || shown.empty()) return {};
    std::vector<Shown> sorted = shown;
    std::sort(sorted.begin(), sorted.end(),
              [](const Shown& x, const Shown& y) { return x.seconds < y.seconds; });
    return sorted[sorted.size() / 2];
  }
};

/// An application is ported by writing it once in Kokkos, or by hand for each device: one
/// application either way, on all platforms.
std::string application(const RowResult& row, const Measurement& m) {
  const Model model = m.variant->model;
  std::string_view side = name_of(model);
  if (model == Model::kokkos) side = "portable";
  if (model == Model::cuda || model == Model::openmp) side = "native";
  return std::string(side) + "_" + std::string(m.variant->name) + variant_name(row, m).launch;
}

/// Keeps this application apart from the same one in another run.
std::string remarks(const Results& results, const Measurement& m) {
  return std::string(m.unverified.empty() ? "" : " (not verified)") +
         (results.device->kokkos_tool ? " (Kokkos tool)" : "");
}

/// A sweep repeats a twin without launch parameters in each row: that is one achievement.
std::vector<Achievement> achievements(const Results& results) {
  std::vector<Achievement> list;
  for (const RowResult& row : results.rows)
    for (const Measurement* m : sides(row)) {
      Achievement one{std::string(row.problem.algorithm->name) + "/" + case_name(row.problem),
                      application(row, *m) + remarks(results, *m)};
      auto same = std::find_if(list.begin(), list.end(), [&](const Achievement& known) {
        return known.problem == one.problem && known.application == one.application;
      });
      if (same == list.end()) same = list.insert(list.end(), std::move(one));
      if (m->seconds.empty()) {
        same->failed = true;
        continue;
      }
      const double seconds = median(m->seconds);
      same->shown.push_back({seconds, share_of_ceiling(results, row, *m) * seconds});
    }
  return list;
}

/// The least median of each problem.
std::map<std::string, double> best_times(const std::vector<Achievement>& list) {
  std::map<std::string, double> best;
  for (const Achievement& one : list) {
    const auto shown = one.middle();
    if (!shown) continue;
    const auto [entry, is_new] = best.emplace(one.problem, shown->seconds);
    if (!is_new) entry->second = std::min(entry->second, shown->seconds);
  }
  return best;
}

} // namespace

std::string p3_csv_text(const Results& results, const RunFacts& facts) {
  // OpenMP with two threads is another platform on another processor.
  const std::string platform =
      results.device->on_host ? facts.cpu + ", " + facts.device : facts.device;
  const std::vector<Achievement> list = achievements(results);
  const auto best = best_times(list);
  std::string text =
      csv_line({"date", "fom", "application", "problem", "platform", "app eff", "arch eff"});
  for (const Achievement& one : list) {
    std::string fom, app = "0", arch = "0";
    if (const auto shown = one.middle()) {
      fom = csv_number(shown->seconds);
      app = csv_number(best.at(one.problem) / shown->seconds);
      arch = csv_number(shown->ceiling_seconds / shown->seconds);
    }
    text += csv_line({facts.date, fom, one.application, one.problem, platform, app, arch});
  }
  return text;
}

} // namespace ado::bench
