// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app's options with their help texts, in groups.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <map>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): as CLI11 calls itself
class App;
}

namespace ado::bench {

/// Option values kept as text because they are checked after parsing.
struct OptionTexts {
  std::string backend, device_memory, reference, size_set, team_size, league_size, seed, pages,
      data, reps, min_time, max_noise, timeout, warmup, max_ratio, processes, kernel_timeout,
      rank_timeout;
  std::string completion;
  bool man = false;
  std::vector<std::string> types, inputs, outputs, sweeps, strides, row_paddings;
  std::map<std::string, std::string> sizes;
};

/// Option groups that matter only if something is measured.
inline constexpr const char *measuring_group = "Measuring", *results_group = "Results";

/// What an option is about, so where it may stand.
enum Trait : unsigned {
  shows = 1,       ///< only says what is shown or written, so --resume may have another one
  lists = 2,       ///< may stand with --list
  selftests = 4,   ///< may stand with --selftest
  judges = 8,      ///< may stand with --ncu-csv
  times = 16,      ///< is about times or results, which --profile does not report
  one_process = 32 ///< is not for many ranks
};
/// Sums of Trait by the name of the option.
using OptionTraits = std::map<std::string, unsigned>;

/// Declares all options except CLI11's own. Values go to `options`, or to `texts` if they are
/// checked after parsing. Both must outlive the parsing.
OptionTraits declare_options(CLI::App& app, Options& options, OptionTexts& texts);

} // namespace ado::bench
