// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/declared_options.hpp>
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/written_files.hpp>
#include <ado/bench/io/exit_status.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/io/version.hpp>
#include <ado/registry/registry.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

/// Keeps each name once, at its first place: a second one would measure the same again.
void fold(Names& list) {
  Names once;
  for (const std::string& name : list)
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  list = once;
}

void interpret_launch(Options& o, const OptionTexts& raw) {
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

void interpret_measuring(Options& o, const OptionTexts& raw) {
  if (!raw.reps.empty()) o.stop.reps = parse_count(raw.reps, "--reps", 1);
  if (!raw.min_time.empty()) o.stop.min_time = parse_seconds(raw.min_time, "--min-time");
  if (!raw.max_noise.empty()) o.stop.max_noise = parse_percent(raw.max_noise, "--max-noise") / 100;
  if (!raw.timeout.empty()) o.stop.timeout = parse_seconds(raw.timeout, "--timeout");
  if (!raw.processes.empty()) {
    o.processes =
        static_cast<int>(std::min<std::size_t>(parse_count(raw.processes, "--processes", 1), 1000));
    if (o.processes > 1 && o.processes < least_processes)
      throw UsageError("--processes " + raw.processes + ": fewer than " +
                       std::to_string(least_processes) +
                       " give no interval of 95 %; give that many or more, or 1");
  }
  if (!raw.max_ratio.empty()) o.max_ratio = parse_ratio(raw.max_ratio, "--max-ratio");
  if (!raw.kernel_timeout.empty())
    o.kernel_timeout = parse_seconds(raw.kernel_timeout, "--kernel-timeout");
  if (o.kernel_timeout < 0.1)
    throw UsageError("--kernel-timeout " + raw.kernel_timeout +
                     ": less than 0.1 s would end runs that are well; give more");
  if (!raw.rank_timeout.empty()) o.rank_timeout = parse_seconds(raw.rank_timeout, "--rank-timeout");
  if (o.rank_timeout < 1)
    throw UsageError("--rank-timeout " + raw.rank_timeout +
                     ": less than a second would end runs that are well; give 1 at least");
  if (!raw.warmup.empty()) o.stop.warmup = parse_count(raw.warmup, "--warmup", 0);
  for (const auto& [option, text] :
       {std::pair("--min-time", &raw.min_time), std::pair("--max-noise", &raw.max_noise)})
    if (o.stop.reps && !text->empty())
      throw UsageError(std::string(option) + " " + *text + ": --reps " + raw.reps +
                       " says already how often; leave out one of them");
}

void interpret(Options& o, OptionTexts& raw) {
  if (std::find(o.algorithms.begin(), o.algorithms.end(), "all") != o.algorithms.end())
    o.algorithms = known_algorithms();
  check_names(o.algorithms, known_algorithms(), "--algorithm");
  fold(o.algorithms);
  fold(raw.types);
  fold(raw.strides);
  fold(raw.row_paddings);
  check_names(o.variants, known_variants(), "--variant");
  expand_patterns(o.excluded_variants, known_variants());
  for (const std::string& name : o.excluded_variants)
    check_name(name, known_variants(), "--exclude-variant");
  check_names(o.models, known_models(), "--model");
  for (std::string* const file : {&o.json, &o.csv, &o.markdown})
    if (*file == "stdout") *file = "-"; // nvbench's spelling
  if (!raw.backend.empty()) o.backend = parse_backend(raw.backend, "--backend");
  if (!raw.device_memory.empty())
    o.device_memory = parse_bytes(raw.device_memory, "--device-memory");
  if (!raw.reference.empty()) o.reference = parse_reference(raw.reference);
  interpret_launch(o, raw);
  for (const auto& [name, text] : raw.sizes)
    if (!text.empty()) o.sizes[name] = parse_size(text, "--" + name);
  if (!raw.size_set.empty()) {
    check_name(raw.size_set, known_size_sets(), "--sizes");
    o.size_set = std::find_if(size_sets.begin(), size_sets.end(),
                              [&](const SizeSet& set) { return set.name == raw.size_set; });
  }
  o.sweeps = parse_sweeps(raw.sweeps, o.sizes);
  for (const std::string& name : raw.types) {
    check_name(name, known_types(), "--type");
    o.types.push_back(*type_named(name));
  }
  for (const std::string& padding : raw.row_paddings)
    o.row_paddings.push_back(
        parse_size(padding, "--row-padding", {"a number of elements", "0,3, say"}));
  if (!raw.pages.empty()) {
    check_name(raw.pages, known_pages(), "--pages");
    o.pages = raw.pages == "large" ? Pages::large : Pages::system;
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
  check_files(o);
}

/// One per line.
std::string exit_status_text() {
  std::string text;
  for (const ExitStatus& status : exit_statuses)
    text += std::string("\n  ") + status.digit + " " + std::string(status.meaning);
  return text;
}

/// Refuses by name what would have no effect, and notes what is given. --dry-run follows the
/// command line of a run, so it takes all options and says which ones it ignores.
void check_given(const CLI::App& app, const OptionTraits& traits, Options& o) {
  struct Mode {
    std::string name, does;
    unsigned takes; ///< options of this trait; 0: all that are not about times
  };
  const Mode modes[] = {{"--ncu-csv", "reads a file and runs nothing", judges},
                        {"--list", "shows what there is and runs nothing", lists},
                        {"--selftest", "plants errors and measures nothing", selftests},
                        {"--profile", "runs each case once and times nothing", 0}};
  std::vector<std::pair<const CLI::Option*, unsigned>> given;
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) given.emplace_back(option, traits.at(option->get_name()));
  for (const Mode& mode : modes)
    for (const auto& [option, is] : given) {
      const std::string name = option->get_name();
      const bool fits = mode.takes == 0 ? (is & times) == 0 : (is & mode.takes) != 0;
      if (app.count(mode.name) > 0 && name != mode.name && !fits)
        throw UsageError(mode.name + ": " + mode.does + "; leave out " + name);
    }
  for (const auto& [option, is] : given) {
    const std::string name = option->get_name();
    if ((is & one_process) != 0 && o.one_process.empty()) o.one_process = name;
    if ((is & shows) == 0) o.measured += name + " " + joined(option->results()) + " ";
    if ((option->get_group() == measuring_group || option->get_group() == results_group) &&
        name != "--dry-run")
      o.without_effect += (o.without_effect.empty() ? "" : ", ") + name;
  }
  o.measured += joined(o.kokkos);
}

/// What other tools call an option, and its name here.
struct OtherSpelling {
  std::string_view theirs, ours;
};
constexpr OtherSpelling other_spellings[] = {
    // RAJAPerf
    {"--kernels", "--algorithm"},
    {"-k", "--algorithm"},
    {"--variants", "--variant"},
    {"-v", "--variant"},
    {"--exclude-variants", "--exclude-variant"},
    {"-ev", "--exclude-variant"},
    {"--refvar", "--reference"},
    {"-rv", "--reference"},
    {"--npasses", "--reps"},
    {"--size", "--sizes, or --rows, --elements ..."},
    {"--sizefact", "--sizes, or --rows, --elements ..."},
    {"--dryrun", "--dry-run"},
    {"--print-kernels", "--list"},
    {"-pk", "--list"},
    {"--print-variants", "--list"},
    {"-pv", "--list"},
    // BabelStream
    {"--arraysize", "--elements"},
    {"-s", "--elements"},
    {"--numtimes", "--reps"},
    {"--float", "--type f32"},
    {"--only", "--algorithm"},
    {"--device", "--kokkos-device-id=N"},
    // nvbench
    {"--benchmark", "--algorithm"},
    {"-b", "--algorithm"},
    {"--axis", "--sweep"},
    {"-a", "--sweep"},
    {"--devices", "--kokkos-device-id=N"},
    {"-d", "--kokkos-device-id=N"},
    {"--md", "--markdown"},
    {"--min-samples", "--reps"},
    {"--cold-warmup-runs", "--warmup"},
    {"--run-once", "--profile"},
    // Google Benchmark
    {"--benchmark_filter", "--algorithm and --variant"},
    {"--benchmark_list_tests", "--list"},
    {"--benchmark_out", "--json"},
    {"--benchmark_repetitions", "--reps"},
    {"--benchmark_min_time", "--min-time"},
    {"--benchmark_dry_run", "--dry-run"},
    // nvbandwidth
    {"-l", "--list"},
    {"-t", "--algorithm"},
    {"-i", "--reps"},
    {"-j", "--json"},
    {"--testcase", "--algorithm"},
    {"--testSamples", "--reps"},
    {"--skipVerification", "--skip-verification"},
    // plural forms
    {"--algorithms", "--algorithm"},
    {"--models", "--model"},
    {"--types", "--type"},
};

/// The first argument that looks like an option is the mistake; the rest may be its values.
std::string not_expected(const Names& arguments, const Names& options) {
  const auto option = std::find_if(arguments.begin(), arguments.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option == arguments.end())
    return "'" + arguments.front() + "' belongs to no option; see --help";
  const std::string name = option->substr(0, option->find('='));
  const auto* const known =
      std::find_if(std::begin(other_spellings), std::end(other_spellings),
                   [&](const OtherSpelling& spelling) { return spelling.theirs == name; });
  const bool is_known = known != std::end(other_spellings);
  if (is_known)
    return "no option " + name + "; here it is " + std::string(known->ours) + "; see --help";
  const Names near = nearest(name.substr(name.find_first_not_of('-')), options);
  return "no option " + name + (near.empty() ? "; see --help" : "; is it --" + near.front() + "?");
}

/// CLI11's complaint, reworded if it would leave a reader to guess.
std::string in_words(const CLI::ParseError& error) {
  const std::string what = error.what();
  const std::size_t twice = what.find(" 1 required but received "); // after "--rows: At Most"
  return twice == std::string::npos ? what
                                    : what.substr(0, what.rfind(':', twice)) + ": give it once";
}

/// Replaces a command by the option that does the same.
void take_command(Names& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return;
  const std::string word = arguments.front();
  const auto* const command = std::find_if(commands.begin(), commands.end(),
                                           [&](const Command& c) { return word == c.word; });
  if (command == commands.end())
    throw UsageError("no command '" + word + "'" + or_near(word, command_words()));
  if (command->option.empty() && word != commands.front().word)
    throw UsageError(word + ": must be the first word, before any option");
  arguments.erase(arguments.begin());
  if (!command->option.empty()) arguments.insert(arguments.begin(), std::string(command->option));
}

/// The names of all options, without their dashes.
Names long_names(const CLI::App& app) {
  Names names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back(name);
  return names;
}

/// "plain,tuned": the first variant that one would write, and the best. Empty: there are no two.
std::string two_variants(const Algorithm& algorithm) {
  Names names = known_variants({std::string(algorithm.name)});
  std::erase(names, "serial");
  if (names.size() < 2) return "";
  const auto place = [&](const std::string& name) {
    return std::find(algorithm.ladder.begin(), algorithm.ladder.end(), name);
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  const auto best = std::find(names.begin() + 1, names.end(), algorithm.best_portable());
  return names.front() + "," + (best == names.end() ? names[1] : *best);
}

/// Commands that work here, with an algorithm, variants and a size of this program.
std::string examples() {
  if (algorithms().empty()) return "";
  const Algorithm& first = algorithms().front();
  const std::string of_one = "run --algorithm " + std::string(first.name);
  const std::string two = two_variants(first);
  const std::string sweep = " --sweep " + std::string(first.sizes.front().name) + "=1Ki:16Ki:x2";
  std::string text = "\nExamples:\n";
  for (const std::string& words :
       Names{"run", of_one + (two.empty() ? "" : " --variant " + two), of_one + sweep,
             "run --json a.json", "compare a.json b.json", "explain limiter"})
    text += "  " + program_name + " " + words + "\n";
  return text;
}

/// The options of a run, and their parser.
struct RunLine {
  Options options;
  OptionTexts texts;
  OptionTraits traits;
  CLI::App app{"Run kernels in Kokkos (portable) and by hand (native) in turn, on the same\n"
               "data, verify both, and say what Kokkos costs. Without options: all variants of\n" +
                   usual_algorithms() + ".\n" + examples(),
               program_name + " run"};

  RunLine() {
    app.set_help_flag("-h,--help", "print this text");
    app.set_version_flag("--version", version_text(), "print the version");
    app.footer("Options of Kokkos pass through: --kokkos-device-id=0, --kokkos-num-threads=4,\n"
               "--kokkos-tools-libs=FILE, --kokkos-help.\n"
               "The first word may be a command; run is the default:\n"
               "  list, dry-run, selftest, profile  like the options of these names\n"
               "  ncu FILE                          like --ncu-csv FILE\n"
               "  compare A.json B.json             compare two results of --json\n"
               "  explain WORD                      what a column, limiter, variant ... means\n"
               "  man, completion SHELL             like --man, --completion SHELL\n"
               "Exit status:" +
               exit_status_text());
    traits = declare_options(app, options, texts);
    fit_to_screen(app);
  }
};

} // namespace

Names command_words() {
  Names words;
  for (const Command& command : commands)
    words.emplace_back(command.word);
  return words;
}

std::shared_ptr<const CLI::App> run_options() {
  const auto line = std::make_shared<RunLine>();
  return {line, &line->app};
}

ParsedOptions parse_options(int argc, const char* const* argv) {
  Names arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "") != arguments.end())
    throw UsageError("an argument is empty; perhaps a shell variable is not set");
  RunLine line;
  auto& [options, texts, traits, app] = line;
  options.kokkos = take_kokkos_arguments(arguments);
  take_command(arguments);
  try {
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes vectors in reverse
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return {{}, true, app.help()};
  } catch (const CLI::CallForVersion&) {
    return {{}, true, version_text() + "\n"};
  } catch (const CLI::ExtrasError&) {
    throw UsageError(not_expected(app.remaining(), long_names(app)));
  } catch (const CLI::ParseError& error) {
    throw UsageError(in_words(error) + "; see --help");
  }
  if (texts.man) return {{}, true, man_page(app)};
  if (!texts.completion.empty()) return {{}, true, completion_script(texts.completion)};
  check_given(app, traits, options);
  interpret(options, texts);
  return {options, false, ""};
}

} // namespace ado::bench
