// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cli/manual.hpp>
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/cli/written_files.hpp>
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_command.hpp>
#include <ado/bench/commands/compare_report.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/io/program.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <string_view>

namespace ado::bench {
namespace {

struct CompareOptions {
  std::vector<std::string> a, b;
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
  if (!several && options.a.size() != 2)
    throw UsageError("compare: " + counted(options.a.size(), "file") +
                     "; there are two, or several behind --with as well: compare A... --with B...");
  if (several && std::min(options.a.size(), options.b.size()) < 4)
    throw UsageError("compare: " + counted(options.a.size(), "file") + " with " +
                     std::to_string(options.b.size()) +
                     "; four runs on each side are the least that tell a difference from chance");
  if (!several) {
    options.b = {options.a.back()};
    options.a.pop_back();
  }
  CompareRule rule{.several = several};
  if (!options.least.empty()) rule.least = parse_percent(options.least, "--least") / 100;
  return rule;
}

RunRecord read_side(const std::vector<std::string>& files) {
  if (files.size() == 1) return read_record(files.front());
  std::vector<RunRecord> runs;
  for (const std::string& file : files)
    runs.push_back(read_record(file));
  return merged(runs);
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
      ->required()
      ->type_name("");
  app.add_option("--with", options.b,
                 "several runs of B; FILES are the runs of A. At least four each; every run is one "
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
};

} // namespace

std::shared_ptr<const CLI::App> compare_options() {
  const auto line = std::make_shared<CompareLine>();
  return {line, &line->app};
}

int compare_command(const std::vector<std::string>& arguments, std::ostream& out) {
  CompareLine line;
  auto& [options, app] = line;
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; see " + program_name + " compare --help");
  }
  check_fail_on(options);
  const CompareRule rule = take_sides(options);
  const NamedFiles records = written_files(options);
  const RunRecord a = read_side(options.a), b = read_side(options.b);
  const Comparison comparison = compare(a, b, rule);
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
