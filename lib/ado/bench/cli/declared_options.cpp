// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/declared_options.hpp>
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/registry/registry.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

/// Adds options to one group of the help text.
struct Group {
  CLI::App& app;
  const char* name;

  template <class Value>
  void add(const std::string& flags, Value& value, const char* type,
           const std::string& help) const {
    CLI::Option* option = app.add_option(flags, value, help)->type_name(type)->group(name);
    if (std::string_view(type) == names || std::string_view(type) == numbers)
      option->delimiter(',');
  }
  /// CLI11 writes "..." after an option that may have several values.
  static constexpr const char *names = "NAME,", *numbers = "N,";
};

void add_selection(CLI::App& app, Options& o, OptionTexts& raw) {
  const Group group{app, "What to run"};
  group.add("--algorithm", o.algorithms, Group::names,
            "what to compute, or all; default: " + usual_algorithms());
  group.add("--variant", o.variants, Group::names,
            "by name, as --list shows them, or by pattern, 'row_*'; default: all");
  group.add("--exclude-variant", o.excluded_variants, Group::names, "leaves these out");
  group.add("--model", o.models, Group::names, joined(known_models()) + "; default: all");
  group.add("--backend", raw.backend, "NAME[:THREADS]",
            "Kokkos execution space of the portable variants, openmp:4 for four threads");
  group.add("--device-memory", raw.device_memory, "SIZE",
            "what a case may take of the device's memory, 2GiB; larger ones are streamed through "
            "it in slices; default: what is free, and on a host no limit");
  group.add("--reference", raw.reference, "MODEL/VARIANT[@BACKEND[:THREADS]]",
            "adds columns with speedup and largest difference against this variant");
  group.add("--team-size", raw.team_size, "N",
            "threads of a team, all lanes counted (a CUDA block's), of variants that take it: a "
            "number, auto (default), or sweep for all powers of two");
  group.add("--league-size", raw.league_size, "N", "teams, of variants that take it");
  group.add("--stride", raw.strides, Group::numbers,
            "elements between those that neighbouring lanes touch, of variants that take it");
}

/// An option for each size that an algorithm has.
void add_sizes(const Group& group, OptionTexts& raw) {
  struct Size {
    char short_name;
    std::string owners;
  };
  std::vector<std::pair<std::string, Size>> sizes; // in the order of the algorithms
  for (const Algorithm& algorithm : algorithms())
    for (const SizeName& size : algorithm.sizes) {
      auto known = std::find_if(sizes.begin(), sizes.end(),
                                [&](const auto& entry) { return entry.first == size.name; });
      if (known == sizes.end())
        known = sizes.insert(known, {std::string(size.name), {size.short_name, ""}});
      std::string& owners = known->second.owners;
      owners += (owners.empty() ? "" : ", ") + std::string(algorithm.name);
    }
  for (const auto& [name, size] : sizes)
    group.add((size.short_name == 0 ? "" : "-" + std::string(1, size.short_name) + ",") + "--" +
                  name,
              raw.sizes[name], "SIZE", size.owners);
}

void add_problem(CLI::App& app, OptionTexts& raw) {
  const Group group{app, "Sizes (4096, 2^12, 4k, 4Ki; default: fits the machine) and data"};
  add_sizes(group, raw);
  std::string sets;
  for (const SizeSet& set : size_sets)
    sets += "\n" + std::string(set.name) + ": " + std::string(set.meaning);
  group.add("--sizes", raw.size_set, "SET",
            "the same on every machine; one that another option or a file sets is that:" + sets);
  group.add("--sweep", raw.sweeps, "SIZE=VALUES",
            "sizes one after the other: rows=1Ki:32Ki:x2, N=100:500:+100, M=5,50, "
            "rows=cols=1Ki:8Ki:x2; several make every combination");
  group.add("--type", raw.types, Group::names, joined(known_types()));
  group.add("--row-padding", raw.row_paddings, Group::numbers,
            "elements between the rows of every array, as in a block of a larger matrix; 0,3 runs "
            "each case with both; default 0");
  group.add("--data", raw.data, "KIND", "made data: " + joined(known_data_kinds()));
  group.add("--seed", raw.seed, "N", "seed of made data; default 1");
  group.add("--input", raw.inputs, "ARRAY=FILE",
            "real data for an array, from a .npy file; a or yax.a names an array");
  group.add("--output", raw.outputs, "ARRAY=FILE",
            "writes the result to a .npy file; needs one variant and model");
}

void add_measuring(CLI::App& app, Options& o, OptionTexts& raw) {
  const Group measuring{app, measuring_group};
  measuring.add("--reps", raw.reps, "N",
                "exactly so many timed runs a variant; default: 10 or more, until the others are "
                "met and it is known whether a pair differs by 1 %");
  measuring.add("--min-time", raw.min_time, "SECONDS",
                "of timed runs of the slower variant of a pair, at least; default 0.1");
  measuring.add("--max-noise", raw.max_noise, "PERCENT",
                "goes on until the quartiles are no further apart than this part of the median; "
                "exit status 5 where the timeout comes first");
  measuring.add("--timeout", raw.timeout, "SECONDS",
                "on the clock for a pair, ends it with what there is, 3 runs at least; default: 15 "
                "times --min-time, and none with --reps");
  measuring.add(
      "--max-ratio", raw.max_ratio, "RATIO",
      "of the times portable over native of each problem's best variant, say 1.1; exit status 4 "
      "where one is surely above it, 5 where one may be, or no twins were compared");
  measuring.add("--warmup", raw.warmup, "N", "runs before the first timed one; default 1");
  measuring.add("--kernel-timeout", raw.kernel_timeout, "SECONDS",
                "a run of a variant, or a slice of it, that takes longer hangs: its row fails, and "
                "the program goes on behind it; exit status 7; default 60");
  measuring.add("--rank-timeout", raw.rank_timeout, "SECONDS",
                "of several ranks: ends all, exit status 3, where one has heard nothing of the "
                "others for so long; default 600");
  app.add_flag("--cold-cache", o.stop.cold_cache,
               "reads other data, twice the last-level cache, before each timed run; without it a "
               "run finds in the caches what the one before left")
      ->group(measuring.name);
  app.add_flag("--skip-verification", o.stop.skip_verification,
               "times results that nobody looks at: every table and record says so, and the exit "
               "status is 6 at best; not with --reference or --output")
      ->group(measuring.name);
  measuring.add("--ceilings", o.ceilings, "FILE",
                "takes the ceilings of this machine, build and environment from the file, and "
                "where it has none measures them as without this option and keeps them there");
}

void add_results(CLI::App& app, Options& o) {
  const Group results{app, results_group};
  results.add("--json", o.json, "FILE",
              "writes them as JSON (Google Benchmark's format); - is stdout");
  results.add("--csv", o.csv, "FILE", "as CSV, a line a variant and case; - is stdout");
  results.add("--markdown", o.markdown, "FILE", "the table as Markdown; - is stdout");
  app.add_flag("--resume", o.resume,
               "goes on with a run that was interrupted, from FILE.partial of --json FILE; begins "
               "one where there is none")
      ->group(results.name);
  app.add_flag("--launches", o.launches,
               "shows below the table what each variant launched on the GPU: grid, block, "
               "registers, shared memory, occupancy")
      ->group(results.name);
  app.add_flag("--verbose", o.verbose, "shows the backtrace of a kernel that crashed")
      ->group(results.name);
  app.add_flag("--stages", o.stages,
               "shows below the table what the stages of each variant of pipeline, or of a "
               "streamed case, took, and how far they ran at the same time")
      ->group(results.name);
  results.add("--timeline", o.timeline, "FILE",
              "draws them as SVG, a lane a stage; of several variants a file each, with the "
              "variant's name in its own. FILE.json: one trace of all, for ui.perfetto.dev");
  app.add_flag("--diagnose", o.diagnose,
               "finds out below the table what variants limited by latency wait for: more work, "
               "other team sizes, predicted accesses; says which rung of the ladder cures it")
      ->group(results.name);
  app.add_flag("--diagnose-all", o.diagnose_all, "the same of all variants")->group(results.name);
  app.add_flag("--profile", o.profile,
               "runs each variant once, untimed, and prints the commands of Nsight Compute and "
               "Nsight Systems that profile that very run")
      ->group(results.name);
  results.add("--ncu-csv", o.ncu_csv, "FILE",
              "says of each kernel in a file of ncu --csv --page raw what limits it, why, and "
              "which rung cures it; runs nothing. --algorithm: whose kernels these are");
  app.add_flag("--dry-run", o.dry_run, "shows the cases and the memory they need, and runs nothing")
      ->group(results.name);
  app.add_flag("--selftest", o.selftest,
               "plants errors in right kernels and shows which are caught: must be all of them; "
               "takes --algorithm and --backend, and measures nothing")
      ->group(results.name);
  app.add_flag("--list", o.list,
               "shows variants and this machine, and runs nothing; --json writes the list too")
      ->group(results.name);
}

void add_shell(CLI::App& app, OptionTexts& raw) {
  const Group shell{app, "For the shell"};
  shell.add("--completion", raw.completion, "SHELL",
            "prints a script that completes these options: " + joined(known_shells()));
  app.add_flag("--man", raw.man, "prints the manual page")->group(shell.name);
}

} // namespace

void declare_options(CLI::App& app, Options& options, OptionTexts& texts) {
  add_selection(app, options, texts);
  add_problem(app, texts);
  add_measuring(app, options, texts);
  add_results(app, options);
  add_shell(app, texts);
}

} // namespace ado::bench
