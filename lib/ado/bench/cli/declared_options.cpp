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
  OptionTraits& traits;
  const char* name;

  template <class Value>
  void add(const std::string& flags, Value& value, const char* type, const std::string& help,
           unsigned is = 0) const {
    CLI::Option* option = app.add_option(flags, value, help)->type_name(type)->group(name);
    if (std::string_view(type) == names || std::string_view(type) == numbers)
      option->delimiter(',');
    traits[option->get_name()] = is;
  }
  void flag(const std::string& flag, bool& value, const std::string& help, unsigned is = 0) const {
    traits[app.add_flag(flag, value, help)->group(name)->get_name()] = is;
  }
  /// CLI11 writes "..." after an option that may have several values.
  static constexpr const char *names = "NAME,", *numbers = "N,";
};

void add_selection(CLI::App& app, OptionTraits& traits, Options& o, OptionTexts& raw) {
  const Group group{app, traits, "What to run"};
  group.add("--algorithm", o.algorithms, Group::names,
            "what to compute, or all; default: " + usual_algorithms(), lists | selftests | judges);
  group.add("--variant", o.variants, Group::names,
            "by name, as --list shows it, or by pattern: 'row_*'; default: all", lists);
  group.add("--exclude-variant", o.excluded_variants, Group::names, "leave these out", lists);
  group.add("--model", o.models, Group::names, joined(known_models()) + "; default: all", lists);
  group.add("--backend", raw.backend, "NAME[:THREADS]",
            "Kokkos execution space of the portable variants; openmp:4 has four threads",
            lists | selftests);
  group.add("--device-memory", raw.device_memory, "SIZE",
            "device memory that a case may use, e.g. 2GiB. Larger cases are streamed in slices. "
            "Default: what is free; on a host no limit",
            one_process);
  group.add("--reference", raw.reference, "MODEL/VARIANT[@BACKEND[:THREADS]]",
            "add columns: speedup over this variant, and largest difference from it",
            times | one_process);
  group.add("--team-size", raw.team_size, "N",
            "threads per team, all lanes counted (a CUDA block), for variants that take it: a "
            "number, auto (default), or sweep for all powers of two");
  group.add("--league-size", raw.league_size, "N", "number of teams, for variants that take it");
  group.add("--stride", raw.strides, Group::numbers,
            "elements from lane to lane, for variants that take it");
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

void add_problem(CLI::App& app, OptionTraits& traits, OptionTexts& raw) {
  const Group group{app, traits, "Sizes (4096, 2^12, 4k, 4Ki; default: fits the machine) and data"};
  add_sizes(group, raw);
  std::string sets;
  for (const SizeSet& set : size_sets)
    sets += "\n" + std::string(set.name) + ": " + std::string(set.meaning);
  group.add("--sizes", raw.size_set, "SET",
            "the same sizes on every machine; other options and files override single sizes:" +
                sets);
  group.add("--sweep", raw.sweeps, "SIZE=VALUES",
            "one case per size: rows=1Ki:32Ki:x2, N=100:500:+100, M=5,50, "
            "rows=cols=1Ki:8Ki:x2. Several sweeps run every combination");
  group.add("--type", raw.types, Group::names, joined(known_types()));
  group.add("--row-padding", raw.row_paddings, Group::numbers,
            "elements between the rows of every array, as in a block of a larger matrix; 0,3 runs "
            "each case twice; default 0",
            one_process);
  group.add("--pages", raw.pages, "KIND",
            "of arrays in host memory: large asks the system for pages of 2 MiB; system takes what "
            "it gives, as a View of Kokkos does; default large");
  group.add("--data", raw.data, "KIND", "made data: " + joined(known_data_kinds()));
  group.add("--seed", raw.seed, "N", "seed of the made data; default 1");
  group.add("--input", raw.inputs, "ARRAY=FILE",
            "read an array from a .npy file; ARRAY is a or yax.a, say");
  group.add("--output", raw.outputs, "ARRAY=FILE",
            "write the result to a .npy file; needs one variant and one model", times);
}

void add_measuring(CLI::App& app, OptionTraits& traits, Options& o, OptionTexts& raw) {
  const Group measuring{app, traits, measuring_group};
  measuring.add("--reps", raw.reps, "N",
                "time each variant exactly N times. Default: 10 runs or more, until it is known "
                "whether a pair differs by 1 %");
  measuring.add("--min-time", raw.min_time, "SECONDS",
                "run a pair until its slower variant has this much timed work; default 0.1");
  measuring.add("--max-noise", raw.max_noise, "PERCENT",
                "run until the quartiles are at most this far apart, in per cent of the median; "
                "exit status 5 if the timeout comes first");
  measuring.add("--timeout", raw.timeout, "SECONDS",
                "end a pair after this time, with 3 runs at least. Default: 15 times --min-time; "
                "with --reps none");
  measuring.add("--processes", raw.processes, "N",
                "measure in N processes, one after the other, and take each one's ratio as one "
                "sample: code, stack and arrays lie elsewhere in each, which moves short runs; 6 "
                "or more; default 1",
                one_process);
  measuring.add(
      "--max-ratio", raw.max_ratio, "RATIO",
      "fail if portable/native of a best variant is surely above this, e.g. 1.1: exit status 4; "
      "5 if it may be above, or if no twins were compared");
  measuring.add("--warmup", raw.warmup, "N", "runs before the first timed run; default 1");
  measuring.add("--kernel-timeout", raw.kernel_timeout, "SECONDS",
                "a run, or a slice of one, that takes longer counts as hung. Its row fails and the "
                "program goes on; exit status 7; default 60",
                selftests);
  measuring.add("--rank-timeout", raw.rank_timeout, "SECONDS",
                "abort all ranks if one hears nothing from the others for this long; exit status "
                "3; default 600");
  measuring.flag("--cold-cache", o.stop.cold_cache,
                 "before each timed run read other data, twice the last-level cache. Without it, a "
                 "run finds in the caches what the last one left");
  measuring.flag("--skip-verification", o.stop.skip_verification,
                 "do not check results. Tables and records say so, and the exit status is 6 at "
                 "best; not with --reference or --output",
                 times);
  measuring.add(
      "--ceilings", o.ceilings, "FILE",
      "read the ceilings of this machine, build and environment from this file; if it has "
      "none, measure them and keep them there",
      times);
}

void add_results(CLI::App& app, OptionTraits& traits, Options& o) {
  const Group results{app, traits, results_group};
  results.add("--json", o.json, "FILE",
              "write results as JSON (Google Benchmark's format); - is stdout",
              shows | times | lists);
  results.add("--csv", o.csv, "FILE", "as CSV, one line per variant and case; - is stdout",
              shows | times);
  results.add("--markdown", o.markdown, "FILE", "the table as Markdown; - is stdout",
              shows | times);
  results.flag(
      "--resume", o.resume,
      "continue an interrupted run from FILE.partial of --json FILE; start one if there is "
      "none",
      shows | times);
  results.flag("--launches", o.launches,
               "below the table show what each variant launched on the GPU: grid, block, "
               "registers, shared memory, occupancy",
               shows | times);
  results.flag("--verbose", o.verbose, "show the backtrace of a kernel that crashed",
               shows | selftests);
  results.flag("--stages", o.stages,
               "below the table show how long the stages of pipeline, or of a streamed case, took, "
               "and how far they overlapped",
               shows | times | one_process);
  results.add("--timeline", o.timeline, "FILE",
              "draw the stages as SVG, one lane per stage and one file per variant, which has the "
              "variant's name. FILE.json is one trace of all, for ui.perfetto.dev",
              shows | times | one_process);
  results.flag("--diagnose", o.diagnose,
               "find out what variants limited by latency wait for, by running them with more "
               "work and other team sizes; name the rung of the ladder that cures it",
               times | one_process);
  results.flag("--diagnose-all", o.diagnose_all, "the same for all variants", times | one_process);
  results.flag("--profile", o.profile,
               "run each variant once, untimed, and print the commands of Nsight Compute and "
               "Nsight Systems that profile this run",
               one_process);
  results.add("--ncu-csv", o.ncu_csv, "FILE",
              "read what ncu --csv --page raw wrote, run nothing, and say of each kernel what "
              "limits it, why, and which rung cures it. --algorithm says whose kernels these are");
  results.flag("--dry-run", o.dry_run, "show the cases and the memory they need, and run nothing");
  results.flag("--selftest", o.selftest,
               "plant errors in right kernels and show which are caught (it must be all); takes "
               "--algorithm and --backend, and measures nothing",
               one_process);
  results.flag("--list", o.list,
               "show the variants and this machine, and run nothing; --json writes the list too");
}

void add_shell(CLI::App& app, OptionTraits& traits, OptionTexts& raw) {
  const Group shell{app, traits, "For the shell"};
  shell.add("--completion", raw.completion, "SHELL",
            "print a script that completes these options: " + joined(known_shells()));
  shell.flag("--man", raw.man, "print the manual page");
}

} // namespace

OptionTraits declare_options(CLI::App& app, Options& options, OptionTexts& texts) {
  OptionTraits traits;
  add_selection(app, traits, options, texts);
  add_problem(app, traits, texts);
  add_measuring(app, traits, options, texts);
  add_results(app, traits, options);
  add_shell(app, traits, texts);
  return traits;
}

} // namespace ado::bench
