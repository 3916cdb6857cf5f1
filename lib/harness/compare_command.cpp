// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/compare.hpp>
#include <ado/harness/options.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace ado {
namespace {

struct CompareOptions {
  std::string a, b;
  std::vector<std::string> fail_on;
};

void check_fail_on(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name != name_of(Verdict::slower) && name != name_of(Verdict::inconclusive))
      throw UsageError("--fail-on: no '" + name + "'; there are: slower, inconclusive");
}

int exit_status(const CompareOptions& options, const Comparison& comparison) {
  const auto fails_on = [&](Verdict verdict) {
    const auto& names = options.fail_on;
    return std::find(names.begin(), names.end(), name_of(verdict)) != names.end();
  };
  if (fails_on(Verdict::slower) && comparison.count(Verdict::slower) > 0) return 4;
  const auto& others = comparison.not_compared;
  const bool undecided = comparison.count(Verdict::inconclusive) > 0 ||
                         std::any_of(others.begin(), others.end(),
                                     [](const NotCompared& other) { return other.in_one; });
  return fails_on(Verdict::inconclusive) && undecided ? 5 : 0;
}

} // namespace

int compare_command(const std::vector<std::string>& arguments, std::ostream& out) {
  CompareOptions options;
  CLI::App app{"Says for each variant and case how much longer run B took than run A.",
               "miniapp compare"};
  app.set_help_flag("-h,--help", "prints this text");
  app.add_option("A", options.a, "what --json wrote in a run")->required();
  app.add_option("B", options.b, "what it wrote in a later one")->required();
  app.add_option("--fail-on", options.fail_on,
                 "slower: exit status 4 where a case is slower;\n"
                 "inconclusive: 5 where one is undecided or has times in one file only")
      ->type_name("VERDICT,")
      ->delimiter(',')
      ->allow_extra_args(false); // the files may stand behind it
  app.footer("Exit status: 0; 4 and 5 where --fail-on asks for them; 2 a file is no such record.");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; see miniapp compare --help");
  }
  check_fail_on(options.fail_on);
  const RunRecord a = read_record(options.a), b = read_record(options.b);
  const Comparison comparison = compare(a, b);
  if (comparison.cases.empty())
    throw InputError(options.b + ": has no case with times in common with " + options.a +
                     "; compare runs of the same algorithms, sizes and types");
  print_comparison(out, a, b, comparison);
  return exit_status(options, comparison);
}

} // namespace ado
