// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/compare.hpp>
#include <ado/harness/options.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>
#include <string_view>

namespace ado {
namespace {

struct CompareOptions {
  std::string a, b;
  std::vector<std::string> fail_on;
  bool ignore_conditions = false;

  bool fails_on(std::string_view name) const {
    return std::find(fail_on.begin(), fail_on.end(), name) != fail_on.end();
  }
};

constexpr std::string_view wrong = "wrong", none = "none";

void check_fail_on(const CompareOptions& options) {
  for (const std::string& name : options.fail_on)
    if (name != wrong && name != none && name != name_of(Verdict::slower) &&
        name != name_of(Verdict::inconclusive))
      throw UsageError("--fail-on: no '" + name +
                       "'; there are: wrong, slower, inconclusive, and none");
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

} // namespace

int compare_command(const std::vector<std::string>& arguments, std::ostream& out) {
  CompareOptions options;
  CLI::App app{"Says for each variant and case how much longer run B took than run A.",
               "miniapp compare"};
  app.set_help_flag("-h,--help", "prints this text");
  app.add_option("A", options.a, "what --json wrote in a run")->required();
  app.add_option("B", options.b, "what it wrote in a later one")->required();
  app.add_option(
         "--fail-on", options.fail_on,
         "wrong, the default: exit status 1 where a result of B was wrong, always but with none;\n"
         "slower: 4 where a case is slower;\n"
         "inconclusive: 5 where one is undecided or has times in one file only")
      ->type_name("VERDICT,")
      ->delimiter(',')
      ->allow_extra_args(false); // the files may stand behind it
  app.add_flag(
      "--ignore-conditions", options.ignore_conditions,
      "compares also where one run had cold caches, was streamed or had a tool of Kokkos,\n"
      "and the other had not");
  app.footer(
      "Exit status: 0; 1, 4 and 5 as --fail-on says; 2 a file is no such record, or times of\n"
      "the two hold different things.");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; see miniapp compare --help");
  }
  check_fail_on(options);
  const RunRecord a = read_record(options.a), b = read_record(options.b);
  const Comparison comparison = compare(a, b);
  if (comparison.cases.empty() && comparison.wrong == 0)
    throw InputError(options.b + ": has no case with times in common with " + options.a +
                     "; compare runs of the same algorithms, sizes and types");
  if (!options.ignore_conditions && !comparison.other_conditions.empty())
    throw InputError(options.b + ": its times hold other things than those of " + options.a + ": " +
                     comparison.other_conditions +
                     "; --ignore-conditions compares them all the same");
  print_comparison(out, a, b, comparison);
  return exit_status(options, comparison);
}

} // namespace ado
