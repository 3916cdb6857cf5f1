// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app's command line, read completely before Kokkos is initialized.
#pragma once

#include <ado/bench/cli/sizes.hpp>
#include <ado/bench/cli/sweep.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/bench/io/exit_status.hpp>
#include <ado/bench/measure/stop_rule.hpp>
#include <ado/registry/types.hpp>
#include <ado/registry/variant.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): as CLI11 calls itself
class App;
}

namespace ado::bench {

/// MODEL/VARIANT[@BACKEND[:THREADS]]
struct ReferenceSpec {
  std::string model, variant;
  BackendSpec backend; ///< empty name: the backend of the run
};

/// Fewer give no interval of 95 %: six ratios all lie on one side of the true one in one of 32
/// cases, five in one of 16.
inline constexpr int least_processes = 6;

struct Options {
  std::vector<std::string> algorithms; ///< empty: the usual ones
  std::vector<std::string> variants;   ///< empty: all
  std::vector<std::string> excluded_variants;
  std::vector<std::string> models;          ///< empty: all
  BackendSpec backend;                      ///< empty name: Kokkos' default
  std::optional<std::size_t> device_memory; ///< bytes that a case may use on the device
  Sizes sizes;                              ///< a size that is absent comes from the set
  const SizeSet* size_set = nullptr;        ///< null: sizes that fit the machine
  std::vector<Sweep> sweeps;
  std::vector<Type> types;               ///< empty: each algorithm's default
  std::vector<std::size_t> row_paddings; ///< measured one after the other; empty: none
  std::optional<ReferenceSpec> reference;
  bool team_size_sweep = false; ///< try every power of two
  std::vector<int> strides;     ///< measured one after the other; empty: each variant's own
  Launch launch;                ///< other launch parameters, for variants that take them
  Pages pages = Pages::large;   ///< of arrays in host memory
  DataKind data = DataKind::uniform;
  std::uint64_t seed = 1;
  std::map<std::string, std::string> inputs, outputs; ///< file by array name, "a" or "yax.a"
  StopRule stop;
  /// Paths of the records; "-" is stdout, empty: no such record.
  std::string json, csv, markdown;
  double kernel_timeout = 60;      ///< a run that takes longer counts as hung (seconds)
  bool verbose = false;            ///< show the backtrace of a crashed kernel
  double rank_timeout = 600;       ///< abort all ranks if one hears nothing for this long (seconds)
  std::string ceilings;            ///< the file that keeps them; empty: none given
  int processes = 1;               ///< that measure, one after the other
  std::optional<double> max_ratio; ///< fail if portable/native of a best variant is above this
  bool resume = false;             ///< go on with an interrupted run
  bool list = false;
  bool dry_run = false;            ///< show the cases, run nothing
  std::string without_effect;      ///< options given with it that only matter in a run
  std::string one_process;         ///< a given option that many ranks refuse; empty: none
  std::string measured;            ///< the given options, but for those that only show or write
  bool selftest = false;           ///< plant errors and catch them, measure nothing
  bool profile = false;            ///< run each case once, untimed, for a profiler
  bool diagnose = false;           ///< find by experiment what variants wait for ...
  bool diagnose_all = false;       ///< ... all of them, not only those limited by latency
  std::string ncu_csv;             ///< a file to judge instead of running; empty: none
  bool launches = false;           ///< show what each variant launched on the GPU
  bool stages = false;             ///< show how long the stages of streams took
  std::string timeline;            ///< a file for pictures of the stages; empty: none
  std::vector<std::string> kokkos; ///< --kokkos-*, passed through unchanged
};

/// The first word of a command line. `option` is the option that does the same; empty: none.
struct Command {
  std::string_view word, option;
  std::string_view arguments; ///< for the manual page
};
inline constexpr std::array commands{
    Command{"run", "", "[option...]"},
    Command{"list", "--list", "[option...]"},
    Command{"dry-run", "--dry-run", "[option...]"},
    Command{"selftest", "--selftest", "[option...]"},
    Command{"profile", "--profile", "[option...]"},
    Command{"ncu", "--ncu-csv", "FILE"},
    Command{"compare", "", "A.json B.json [--fail-on VERDICT,...]"},
    Command{"explain", "", "[WORD]"},
    Command{"man", "--man", ""},
    Command{"completion", "--completion", "SHELL"}};

std::vector<std::string> command_words();

/// What to do with a command line.
struct ParsedOptions {
  Options options;
  bool exit = false; ///< --help, --version, --man or --completion was given
  std::string text;  ///< what to print then
};

/// Reads the command line. Throws UsageError.
ParsedOptions parse_options(int argc, const char* const* argv);

/// The options of a run, for completion.
std::shared_ptr<const CLI::App> run_options();

} // namespace ado::bench
