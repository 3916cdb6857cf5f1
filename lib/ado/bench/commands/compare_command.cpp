// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/cli/written_files.hpp>
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_command.hpp>
#include <ado/bench/commands/compare_report.hpp>
#include <ado/bench/io/interrupt.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/program.hpp>
#include <ado/bench/processes/in_turn.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string_view>

namespace ado::bench {
namespace {

struct CompareOptions {
  std::vector<std::string> a, b;
  std::vector<std::string> programs; ///< two that run in turn; empty: files are compared
  std::string rounds;
  std::string least, json, markdown;
  std::vector<std::string> fail_on;
  bool ignore_conditions = false;

  bool fails_on(std::string_view name) const {
    return std::find(fail_on.begin(), fail_on.end(), name) != fail_on.end();
  }
};

constexpr std::string_view none = "none";

void check_fail_on(const CompareOptions& options) {
  for (const std::string& name : options.fail_on)
    check_name(name, known_failures(), "--fail-on");
  if (options.fails_on(none) && options.fail_on.size() > 1)
    throw UsageError("--fail-on: none goes with nothing else; leave it out");
}

int exit_status(const CompareOptions& options, const Comparison& comparison) {
  if (!options.fails_on(none) && comparison.wrong > 0) return 1;
  if (options.fails_on(name_of(Verdict::slower)) && comparison.count(Verdict::slower) > 0) return 4;
  const auto& others = comparison.not_compared;
  const bool undecided = comparison.count(Verdict::inconclusive) > 0 ||
                         std::any_of(others.begin(), others.end(),
                                     [](const NotCompared& other) { return other.in_one; });
  return options.fails_on(name_of(Verdict::inconclusive)) && undecided ? 5 : 0;
}

/// Two files are one run on each side.
CompareRule take_sides(CompareOptions& options) {
  const bool several = !options.b.empty();
  if (options.a.empty()) throw UsageError("compare: name two files, or --run and two programs");
  if (!several && options.a.size() != 2)
    throw UsageError("compare: " + counted(options.a.size(), "file") +
                     "; there are two, or several behind --with as well: compare A... --with B...");
  if (several && std::min(options.a.size(), options.b.size()) < least_runs)
    throw UsageError("compare: " + counted(options.a.size(), "file") + " with " +
                     std::to_string(options.b.size()) +
                     "; five runs on each side are the least that tell a difference from chance");
  if (!several) {
    options.b = {options.a.back()};
    options.a.pop_back();
  }
  CompareRule rule{.several = several};
  if (!options.least.empty()) rule.least = parse_percent(options.least, "--least") / 100;
  return rule;
}

std::vector<RunRecord> read_side(const std::vector<std::string>& files) {
  std::vector<RunRecord> runs;
  for (const std::string& file : files)
    runs.push_back(read_record(file));
  return runs;
}

/// A run finds the load of those before it, so of all warnings about that the first one alone says
/// something.
void drop_own_load(std::vector<RunRecord>& runs, std::size_t first) {
  for (std::size_t k = first; k < runs.size(); ++k)
    std::erase_if(runs[k].warnings, [](const std::string& warning) {
      return warning.find("not idle") != std::string::npos;
    });
}

RunRecord one_of(const std::vector<RunRecord>& runs) {
  return runs.size() == 1 ? runs.front() : merged(runs);
}

/// The files that it writes; checked to be writable before anything is read.
NamedFiles written_files(const CompareOptions& options) {
  const NamedFiles records =
      asked_for({{"--json", options.json}, {"--markdown", options.markdown}});
  NamedFiles read;
  for (const std::string& file : options.a)
    read.emplace_back("A", file);
  for (const std::string& file : options.b)
    read.emplace_back("B", file);
  check_written(records, std::move(read));
  return records;
}

void declare(CLI::App& app, CompareOptions& options) {
  app.set_help_flag("-h,--help", "print this text");
  app.add_option("FILES", options.a, "A and B: what --json wrote in two runs, B the later one")
      ->type_name("");
  app.add_option("--run", options.programs,
                 "instead of files: runs two programs in turn, A B, B A, each with all the options "
                 "that are none of these, and compares them. In each round either has its code "
                 "elsewhere, if its target NAME_places was built")
      ->expected(2)
      ->type_name("A B");
  app.add_option("--rounds", options.rounds,
                 "with --run: how often each runs; 5 or more; default " +
                     std::to_string(usual_rounds))
      ->type_name("N");
  app.add_option("--with", options.b,
                 "several runs of B; FILES are the runs of A. At least five each; every run is one "
                 "sample. Best made in turn: A B B A A B B A")
      ->type_name("FILE");
  app.add_option(
         "--least", options.least,
         "smaller differences do not matter. Default: 5 per cent for two runs, which differ "
         "that much without a reason; 1 for several")
      ->type_name("PERCENT");
  app.add_option("--fail-on", options.fail_on,
                 "wrong (default, and always except with none): exit status 1 if a result of B was "
                 "wrong; slower: 4 if a case is slower; inconclusive: 5 if a case is undecided or "
                 "has times in one file only")
      ->type_name("VERDICT,")
      ->delimiter(',')
      ->allow_extra_args(false); // the files may follow it
  app.add_flag("--ignore-conditions", options.ignore_conditions,
               "compare even if only one of the runs had cold caches, was streamed or had a Kokkos "
               "tool");
  app.add_option("--json", options.json,
                 "write the comparison as JSON, one row per case; - is stdout, and the table then "
                 "goes to stderr")
      ->type_name("FILE");
  app.add_option("--markdown", options.markdown, "the same as Markdown; - is stdout")
      ->type_name("FILE");
  app.footer("Exit status: 0; 1, 4 and 5 as --fail-on says; 2 if a file is no such record, or\n"
             "if the times of the two runs hold different things.");
}

/// The options and their parser.
struct CompareLine {
  CompareOptions options;
  CLI::App app{"Say for each variant and case how much longer run B took than run A.",
               program_name + " compare"};

  CompareLine() {
    declare(app, options);
    fit_to_screen(app);
  }
  /// What it does not know, words without -- among them, is for the programs that it runs.
  void pass_on_options() {
    app.remove_option(app.get_option("FILES"));
    app.allow_extras();
  }
};

/// Runs the programs of --run; their records are then the files to compare.
void run_programs(CompareOptions& options, const std::vector<std::string>& run_options,
                  const TemporaryFolder& folder) {
  const std::size_t rounds =
      options.rounds.empty() ? usual_rounds : parse_count(options.rounds, "--rounds", least_runs);
  note_interrupts();
  const RecordsInTurn records =
      run_in_turn(options.programs[0], options.programs[1], run_options, rounds, folder);
  options.a = records.a;
  options.b = records.b;
}

} // namespace

std::shared_ptr<const CLI::App> compare_options() {
  const auto line = std::make_shared<CompareLine>();
  return {line, &line->app};
}

int compare_command(const std::vector<std::string>& arguments, std::ostream& out) {
  CompareLine line;
  auto& [options, app] = line;
  if (std::find(arguments.begin(), arguments.end(), "--run") != arguments.end())
    line.pass_on_options();
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; see " + program_name + " compare --help");
  }
  check_fail_on(options);
  const bool runs = !options.programs.empty();
  std::optional<TemporaryFolder> folder;
  if (runs) {
    written_files(options); // before anything runs
    run_programs(options, app.remaining(), folder.emplace());
    if (interrupted() != 0) return 128 + interrupted();
  } else if (!options.rounds.empty()) {
    throw UsageError("--rounds: says how often the programs of --run run; leave it out");
  }
  const CompareRule rule = take_sides(options);
  const NamedFiles records = written_files(options);
  std::vector<RunRecord> runs_of_a = read_side(options.a), runs_of_b = read_side(options.b);
  if (runs) {
    drop_own_load(runs_of_a, 1);
    drop_own_load(runs_of_b, 0);
  }
  RunRecord a = one_of(runs_of_a), b = one_of(runs_of_b);
  if (runs) {
    a.path = options.programs[0];
    b.path = options.programs[1];
  }
  Comparison comparison = compare(a, b, rule);
  if (runs) comparison.itself = compare_with_itself(runs_of_a, rule);
  if (comparison.cases.empty() && comparison.wrong == 0)
    throw InputError(b.path + ": has no case with times in common with " + a.path +
                     "; compare runs of the same algorithms, sizes and types");
  if (!options.ignore_conditions && !comparison.other_conditions.empty())
    throw InputError(b.path + ": its times hold other things than those of " + a.path + ": " +
                     comparison.other_conditions +
                     "; --ignore-conditions compares them all the same");
  if (!options.json.empty()) write_text(options.json, comparison_json(a, b, comparison, rule), out);
  if (!options.markdown.empty())
    write_text(options.markdown, comparison_markdown(a, b, comparison, rule), out);
  print_comparison(takes_stdout(records) ? std::cerr : out, a, b, comparison, rule);
  return exit_status(options, comparison);
}

} // namespace ado::bench
