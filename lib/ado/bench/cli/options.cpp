// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/io/exit_status.hpp>
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/version.hpp>
#include <ado/core/registry.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace ado {
namespace {

/// Whether a picture of one of several variants could have that name: "run_kokkos_team.svg" of run.svg.
bool may_be_timeline(const std::string& timeline, const std::string& other) {
  const auto a = whole_path(timeline), b = whole_path(other);
  return a.parent_path() == b.parent_path() && a.extension() == b.extension() &&
         b.stem().string().starts_with(a.stem().string() + "_");
}

/// Every file that is written must be another than all others that are named, and writable: found
/// now, not after the run.
void check_files(const Options& o) {
  std::vector<std::pair<std::string, std::string>> written, named; // option, file
  for (const auto& [option, file] : record_files(o))
    if (file != "-") written.emplace_back(option, file);
  if (!o.json.empty() && o.json != "-")
    written.emplace_back("the rows so far of --json", o.json + ".partial");
  if (!o.ceilings.empty()) written.emplace_back("--ceilings", o.ceilings);
  if (o.timeline == "-") throw UsageError("--timeline -: pictures go to files; name one");
  if (!o.timeline.empty()) written.emplace_back("--timeline", o.timeline);
  for (const auto& [array, file] : o.outputs)
    written.emplace_back("--output " + array, file);
  for (const auto& [array, file] : o.inputs)
    named.emplace_back("--input " + array, file);
  for (const auto& [option, file] : written) {
    for (const auto& [other, other_file] : named)
      if (same_file(file, other_file) ||
          (option == "--timeline" && may_be_timeline(file, other_file)) ||
          (other == "--timeline" && may_be_timeline(other_file, file)))
        throw UsageError(option + ": " + file + " is also the file of " + other + ", " +
                         other_file + "; name another file");
    named.emplace_back(option, file);
    const OutputFile probe(file); // leaves nothing
  }
}

/// Each name once, at its first place: a second would measure the same again.
void fold(Names& list) {
  Names once;
  for (const std::string& name : list)
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  list = once;
}

/// Texts of options whose values are checked after parsing.
struct Raw {
  std::string backend, device_memory, reference, team_size, league_size, seed, data, reps, min_time,
      max_noise, timeout, warmup;
  std::string completion;
  bool man = false;
  Names types, inputs, outputs, sweeps, strides;
  std::map<std::string, std::string> sizes;
};

/// Adds options of one group of the help text.
struct Group {
  CLI::App& app;
  const char* name;

  template <class Value>
  void add(const std::string& flags, Value& value, const char* type,
           const std::string& help) const {
    CLI::Option* option = app.add_option(flags, value, help)->type_name(type)->group(name);
    if (std::string_view(type) == names || std::string_view(type) == strides)
      option->delimiter(',');
  }
  /// CLI11 writes "..." behind what may have several values.
  static constexpr const char *names = "NAME,", *strides = "N,";
};

constexpr const char *measuring_group = "Measuring", *results_group = "Results";

void add_selection(CLI::App& app, Options& o, Raw& raw) {
  const Group group{app, "What to run"};
  group.add("--algorithm", o.algorithms, Group::names,
            "what to compute, or all; default: average_mv, transpose and yax");
  group.add("--variant", o.variants, Group::names, "by name, as --list shows them; default: all");
  group.add("--exclude-variant", o.excluded_variants, Group::names, "leaves these out");
  group.add("--model", o.models, Group::names, joined(known_models()) + "; default: all");
  group.add("--backend", raw.backend, "NAME[:THREADS]",
            "Kokkos execution space of the portable variants, openmp:4 for four threads");
  group.add("--device-memory", raw.device_memory, "SIZE",
            "what a case may take of the device's memory, 2GiB; larger ones are streamed through\n"
            "it in slices; default: what is free, and on a host no limit");
  group.add("--reference", raw.reference, "MODEL/VARIANT[@BACKEND[:THREADS]]",
            "adds columns with speedup and largest difference against this variant");
  group.add("--team-size", raw.team_size, "N",
            "threads of a team, all lanes counted (a CUDA block's), of variants that take it:\n"
            "a number, auto (default), or sweep for all powers of two");
  group.add("--league-size", raw.league_size, "N", "teams, of variants that take it");
  group.add("--stride", raw.strides, Group::strides,
            "elements between those that neighbouring lanes touch, of variants that take it");
}

/// An option for each size that an algorithm has.
void add_sizes(const Group& group, Raw& raw) {
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

void add_problem(CLI::App& app, Raw& raw) {
  const Group group{app, "Sizes (4096, 2^12, 4k, 4Ki; default: fits the machine) and data"};
  add_sizes(group, raw);
  group.add("--sweep", raw.sweeps, "SIZE=VALUES",
            "sizes one after the other: rows=1Ki:32Ki:x2, N=100:500:+100, M=5,50,\n"
            "rows=cols=1Ki:8Ki:x2; several make every combination");
  group.add("--type", raw.types, Group::names, joined(known_types()));
  group.add("--data", raw.data, "KIND", "made data: " + joined(known_data_kinds()));
  group.add("--seed", raw.seed, "N", "seed of made data; default 1");
  group.add("--input", raw.inputs, "ARRAY=FILE",
            "real data for an array, from a .npy file; a or yax.a names an array");
  group.add("--output", raw.outputs, "ARRAY=FILE",
            "writes the result to a .npy file; needs one variant and model");
}

void add_measuring(CLI::App& app, Options& o, Raw& raw) {
  const Group measuring{app, measuring_group};
  measuring.add("--reps", raw.reps, "N",
                "exactly so many timed runs a variant; default: 10 or more, until the others are\n"
                "met and it is known whether a pair differs by 1 %");
  measuring.add("--min-time", raw.min_time, "SECONDS",
                "of timed runs of the slower variant of a pair, at least; default 0.2");
  measuring.add("--max-noise", raw.max_noise, "PERCENT",
                "goes on until the quartiles are no further apart than this part of the median;\n"
                "exit status 5 where the timeout comes first");
  measuring.add("--timeout", raw.timeout, "SECONDS",
                "on the clock for a pair, ends it with what there is, 3 runs at least; default:\n"
                "15 times --min-time, and none with --reps");
  measuring.add("--warmup", raw.warmup, "N", "runs before the first timed one; default 1");
  app.add_flag("--cold-cache", o.stop.cold_cache,
               "reads other data, twice the last-level cache, before each timed run; without\n"
               "it a run finds in the caches what the one before left")
      ->group(measuring.name);
  app.add_flag("--skip-verification", o.stop.skip_verification,
               "times results that nobody looks at: every table and record says so, and the\n"
               "exit status is 6 at best; not with --reference or --output")
      ->group(measuring.name);
  measuring.add(
      "--ceilings", o.ceilings, "FILE",
      "takes the ceilings of this machine, build and environment from the file, and where\n"
      "it has none measures them as without this option and keeps them there");
  const Group results{app, results_group};
  results.add("--json", o.json, "FILE",
              "writes them as JSON (Google Benchmark's format); - is stdout");
  results.add("--csv", o.csv, "FILE", "as CSV, a line a variant and case; - is stdout");
  results.add("--markdown", o.markdown, "FILE", "the table as Markdown; - is stdout");
  results.add("--p3-csv", o.p3_csv, "FILE", "as CSV for the p3-analysis-library; - is stdout");
  app.add_flag("--resume", o.resume,
               "goes on with a run that was interrupted, from FILE.partial of --json FILE; begins\n"
               "one where there is none")
      ->group(results.name);
  app.add_flag("--launches", o.launches,
               "shows below the table what each variant launched on the GPU: grid, block,\n"
               "registers, shared memory, occupancy")
      ->group(results.name);
  app.add_flag(
         "--stages", o.stages,
         "shows below the table what the stages of each variant of pipeline, or of a streamed\n"
         "case, took, and how far they ran at the same time")
      ->group(results.name);
  results.add("--timeline", o.timeline, "FILE",
              "draws them as SVG, a lane a stage; of several variants a file each, with the\n"
              "variant's name in its own");
  app.add_flag("--diagnose", o.diagnose,
               "finds out below the table what variants limited by latency wait for: more work,\n"
               "other team sizes, predicted accesses; says which rung of the ladder cures it")
      ->group(results.name);
  app.add_flag("--diagnose-all", o.diagnose_all, "the same of all variants")->group(results.name);
  app.add_flag("--profile", o.profile,
               "runs each variant once, untimed, and prints the commands of Nsight Compute and\n"
               "Nsight Systems that profile that very run")
      ->group(results.name);
  results.add("--ncu-csv", o.ncu_csv, "FILE",
              "says of each kernel in a file of ncu --csv --page raw what limits it, why, and\n"
              "which rung cures it; runs nothing. --algorithm: whose kernels these are");
  app.add_flag("--dry-run", o.dry_run, "shows the cases and the memory they need, and runs nothing")
      ->group(results.name);
  app.add_flag("--selftest", o.selftest,
               "plants errors in right kernels and shows which are caught: must be all of them;\n"
               "takes --algorithm and --backend, and measures nothing")
      ->group(results.name);
  app.add_flag("--list", o.list, "shows variants and this machine, and runs nothing")
      ->group(results.name);
}

void interpret_launch(Options& o, const Raw& raw) {
  if (raw.team_size == "sweep")
    o.team_size_sweep = true;
  else if (!raw.team_size.empty() && raw.team_size != "auto")
    o.launch.team_size =
        parse_launch(raw.team_size, "--team-size", {"a number of threads", "128, auto or sweep"});
  if (!raw.league_size.empty())
    o.launch.league_size =
        parse_launch(raw.league_size, "--league-size", {"a number of teams", "64, say"});
  for (const std::string& stride : raw.strides)
    o.strides.push_back(parse_launch(stride, "--stride", {"a number of elements", "1,2,4, say"}));
}

void interpret_measuring(Options& o, const Raw& raw) {
  if (!raw.reps.empty()) o.stop.reps = parse_count(raw.reps, "--reps", 1);
  if (!raw.min_time.empty()) o.stop.min_time = parse_seconds(raw.min_time, "--min-time");
  if (!raw.max_noise.empty()) o.stop.max_noise = parse_percent(raw.max_noise, "--max-noise") / 100;
  if (!raw.timeout.empty()) o.stop.timeout = parse_seconds(raw.timeout, "--timeout");
  if (!raw.warmup.empty()) o.stop.warmup = parse_count(raw.warmup, "--warmup", 0);
  for (const auto& [option, text] :
       {std::pair("--min-time", &raw.min_time), std::pair("--max-noise", &raw.max_noise)})
    if (o.stop.reps && !text->empty())
      throw UsageError(std::string(option) + " " + *text + ": --reps " + raw.reps +
                       " says already how often; leave out one of them");
}

/// What would say something of times, or of results at leisure, has nothing to say.
void check_profile(const Options& o) {
  if (!o.profile) return;
  const std::pair<bool, const char*> others[] = {{!record_files(o).empty(), "a record"},
                                                 {o.reference.has_value(), "--reference"},
                                                 {!o.outputs.empty(), "--output"},
                                                 {o.launches, "--launches"},
                                                 {o.stages, "--stages"},
                                                 {!o.timeline.empty(), "--timeline"},
                                                 {o.diagnose, "--diagnose"},
                                                 {!o.ceilings.empty(), "--ceilings"},
                                                 {o.stop.skip_verification, "--skip-verification"}};
  for (const auto& [given, what] : others)
    if (given)
      throw UsageError("--profile: runs each case once and times nothing; leave out " +
                       std::string(what));
}

void interpret(Options& o, Raw& raw) {
  if (std::find(o.algorithms.begin(), o.algorithms.end(), "all") != o.algorithms.end())
    o.algorithms = known_algorithms();
  check_names(o.algorithms, known_algorithms(), "--algorithm");
  fold(o.algorithms);
  fold(raw.types);
  fold(raw.strides);
  check_names(o.variants, known_variants(), "--variant");
  for (const std::string& name : o.excluded_variants)
    check_name(name, known_variants(), "--exclude-variant");
  check_names(o.models, known_models(), "--model");
  if (!raw.backend.empty()) o.backend = parse_backend(raw.backend, "--backend");
  if (!raw.device_memory.empty())
    o.device_memory = parse_bytes(raw.device_memory, "--device-memory");
  if (!raw.reference.empty()) o.reference = parse_reference(raw.reference);
  interpret_launch(o, raw);
  for (const auto& [name, text] : raw.sizes)
    if (!text.empty()) o.sizes[name] = parse_size(text, "--" + name);
  o.sweeps = parse_sweeps(raw.sweeps, o.sizes);
  for (const std::string& name : raw.types) {
    check_name(name, known_types(), "--type");
    o.types.push_back(*type_named(name));
  }
  if (!raw.data.empty()) {
    check_name(raw.data, known_data_kinds(), "--data");
    o.data = *data_kind_named(raw.data);
  }
  if (!raw.seed.empty()) o.seed = parse_size(raw.seed, "--seed", {"a whole number", "42, say"});
  interpret_measuring(o, raw);
  o.inputs = parse_files(raw.inputs, "--input");
  o.outputs = parse_files(raw.outputs, "--output");
  if (o.stop.skip_verification && (o.reference || !o.outputs.empty()))
    throw UsageError("--skip-verification: " +
                     std::string(o.reference ? "--reference compares" : "--output writes") +
                     " verified results only; leave out one of them");
  if (o.resume && (o.json.empty() || o.json == "-"))
    throw UsageError(
        "--resume: the rows so far are in FILE.partial of --json FILE; name that file");
  o.diagnose = o.diagnose || o.diagnose_all;
  check_profile(o);
  check_files(o);
}

/// A line each.
std::string exit_status_text() {
  std::string text;
  for (const ExitStatus& status : exit_statuses)
    text += std::string("\n  ") + status.digit + " " + std::string(status.meaning);
  return text;
}

/// An option that does one thing, and the others that have an effect beside it.
struct Mode {
  std::string name, does;
  Names takes;
};

/// What would have no effect is refused by name. --dry-run is put behind the command line of a run,
/// so it takes all of it, and says what it does not look at.
void check_modes(const CLI::App& app, Options& o) {
  const Mode modes[] = {
      {"--ncu-csv", "reads a file and runs nothing", {"--algorithm"}},
      {"--list",
       "shows what there is and runs nothing",
       {"--algorithm", "--variant", "--exclude-variant", "--model", "--backend"}},
      {"--selftest", "plants errors and measures nothing", {"--algorithm", "--backend"}}};
  for (const Mode& mode : modes)
    for (const CLI::Option* option : app.get_options()) {
      const std::string name = option->get_name();
      const bool fits = std::find(mode.takes.begin(), mode.takes.end(), name) != mode.takes.end();
      if (app.count(mode.name) > 0 && option->count() > 0 && name != mode.name && !fits)
        throw UsageError(mode.name + ": " + mode.does + "; leave out " + name);
    }
  for (const CLI::Option* option : app.get_options())
    if ((option->get_group() == measuring_group || option->get_group() == results_group) &&
        option->count() > 0 && option->get_name() != "--dry-run")
      o.without_effect += (o.without_effect.empty() ? "" : ", ") + option->get_name();
}

/// Writes the option that stands for the command.
void take_command(Names& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return;
  const std::string word = arguments.front();
  const auto* const command = std::find_if(commands.begin(), commands.end(),
                                           [&](const Command& c) { return word == c.word; });
  if (command == commands.end())
    throw UsageError("no command '" + word + "'; there are: " + joined(command_words()) +
                     "; see --help");
  if (command->option.empty() && word != commands.front().word)
    throw UsageError(word + ": must be the first word, before any option");
  arguments.erase(arguments.begin());
  if (!command->option.empty()) arguments.insert(arguments.begin(), std::string(command->option));
}

} // namespace

std::vector<std::pair<std::string, std::string>> record_files(const Options& options) {
  constexpr std::pair<const char*, std::string Options::*> records[] = {
      {"--json", &Options::json},
      {"--csv", &Options::csv},
      {"--markdown", &Options::markdown},
      {"--p3-csv", &Options::p3_csv}};
  std::vector<std::pair<std::string, std::string>> files;
  const char* on_stdout = nullptr;
  for (const auto& [option, member] : records) {
    const std::string& path = options.*member;
    if (path.empty()) continue;
    if (path == "-" && on_stdout != nullptr)
      throw UsageError(std::string(option) + " -: " + on_stdout +
                       " already goes to stdout; name a file");
    if (path == "-") on_stdout = option;
    files.emplace_back(option, path);
  }
  return files;
}

bool takes_stdout(const Options& options) {
  const auto files = record_files(options);
  return std::any_of(files.begin(), files.end(),
                     [](const auto& file) { return file.second == "-"; });
}

Names command_words() {
  Names words;
  for (const Command& command : commands)
    words.emplace_back(command.word);
  return words;
}

ParsedOptions parse_options(int argc, const char* const* argv, Names (*explained)()) {
  Names arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "") != arguments.end())
    throw UsageError("an argument is empty; perhaps a shell variable is not set");
  ParsedOptions parsed;
  parsed.options.kokkos = take_kokkos_arguments(arguments);
  take_command(arguments);
  Raw raw;
  CLI::App app{"Runs portable (Kokkos) kernels and their native twins on the same data, verifies\n"
               "both, and says how close the portable ones come. Without options: every variant\n"
               "of average_mv, transpose and yax.",
               "miniapp"};
  app.set_help_flag("-h,--help", "prints this text");
  app.set_version_flag("--version", version_text(), "prints the version");
  app.footer(
      "Options of Kokkos pass through: --kokkos-device-id=0, --kokkos-num-threads=4,\n"
      "--kokkos-tools-libs=FILE, --kokkos-help.\n"
      "The first word may be a command; without one it is run:\n"
      "  list, dry-run, selftest, profile   as the options of these names\n"
      "  ncu FILE                           as --ncu-csv FILE\n"
      "  compare A.json B.json              two results of --json; see miniapp compare --help\n"
      "  explain WORD                       what a column, a limiter or a variant means\n"
      "  man, completion SHELL              as --man, --completion SHELL\n"
      "Exit status:" +
      exit_status_text());
  add_selection(app, parsed.options, raw);
  add_problem(app, raw);
  add_measuring(app, parsed.options, raw);
  const Group shell{app, "For the shell"};
  shell.add("--completion", raw.completion, "SHELL",
            "prints a script that completes these options in bash or zsh");
  app.add_flag("--man", raw.man, "prints the manual page")->group(shell.name);
  try {
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 takes vectors
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    parsed.exit = true;
    parsed.text = app.help();
    return parsed;
  } catch (const CLI::CallForVersion&) {
    parsed.exit = true;
    parsed.text = version_text() + "\n";
    return parsed;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; see --help");
  }
  if (raw.man || !raw.completion.empty()) {
    parsed.exit = true;
    parsed.text = raw.man ? man_page(app)
                          : completion_script(app, raw.completion,
                                              explained == nullptr ? Names{} : explained());
    return parsed;
  }
  check_modes(app, parsed.options);
  interpret(parsed.options, raw);
  return parsed;
}

} // namespace ado
