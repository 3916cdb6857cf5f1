// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines that the mini-app must refuse, each with a message that says what to do instead.
#include "program.hpp"

#include <filesystem>

namespace ado::bench {
namespace {

class MiniappOptions : public MiniappRun {};

TEST_F(MiniappOptions, UnknownAndIncompleteOnesAreRefused) {
  expect_refused("--nonsense", {"--nonsense", "--help"});
  expect_refused("surplus", {"no command 'surplus'; there are: run, list, "});
  expect_refused("--rows", {"--rows", "SIZE missing"});
  expect_refused("--json", {"--json", "FILE missing"});
  expect_refused("--input", {"--input", "ARRAY=FILE"});
  expect_refused("--rows 3 --rows 4", {"--rows"});
  const Outcome empty = run_program(ADO_MINIAPP, {"--json", ""});
  EXPECT_EQ(empty.status, 2) << empty;
  EXPECT_NE(empty.err.find("an argument is empty"), std::string::npos) << empty.err;
}

TEST_F(MiniappOptions, NamesThatNobodyKnowsAreRefusedWithTheKnownOnes) {
  expect_refused("--algorithm nope",
                 {"--algorithm", "'nope'", "average_mv, pipeline, transpose, vector_add, yax"});
  expect_refused("--variant nope", {"--variant", "'nope'", "team"});
  expect_refused("--exclude-variant nope", {"--exclude-variant", "'nope'", "team"});
  expect_refused("--model nope", {"--model", "'nope'", "serial, openmp, kokkos"});
  expect_refused("--type half", {"--type", "'half'", "i8, i16, i32, i64, f32, f64, c64, c128"});
  expect_refused("--data nope", {"--data", "'nope'", "ones_twos, uniform, hash"});
  expect_refused("--pages huge", {"--pages", "'huge'", "large, system"});
  expect_refused("--reference team", {"--reference team", "MODEL/VARIANT"});
  expect_refused("--reference nope/team", {"--reference", "'nope'", "openmp"});
  expect_refused("--reference serial/nope", {"--reference", "'nope'", "team"});
  expect_refused("--reference serial/serial@openmp:0", {"openmp:0", "from 1 to 512"});
  expect_refused("--backend :2", {"--backend :2", "write a backend's name"});
  expect_refused("--backend openmp:x", {"--backend openmp:x", "from 1 to 512"});
}

TEST_F(MiniappOptions, SpellingsOfOtherToolsAreAnsweredWithOurs) {
  expect_refused("--kernels yax --rows 5", {"no option --kernels; here it is --algorithm"});
  expect_refused("--benchmark_filter=yax", {"no option --benchmark_filter; here it is"});
  expect_refused("--rows 5 -v team", {"no option -v; here it is --variant"});
  expect_refused("--nonsense 3", {"no option --nonsense; see --help"});
  expect_refused("--rows 3 --rows 4", {"--rows: give it once"});
}

TEST_F(MiniappOptions, PatternsStandForTheNamesThatTheyFit) {
  const auto list = [&](const std::string& options) {
    const std::string out = miniapp("--list " + options).out;
    return out.substr(0, out.find("\nbackends ")); // the rest changes: free memory
  };
  const std::string rows = list("--algorithm yax --variant row_per_t*,two_?all");
  EXPECT_EQ(rows, list("--algorithm yax --variant row_per_thread,row_per_thread_left,"
                       "row_per_thread_batched,row_per_team,two_call"));
  EXPECT_EQ(list("--algorithm y?x"), list("--algorithm yax"));
  EXPECT_EQ(list("--exclude-variant *"), list("--algorithm yax --variant m_outer"));
  expect_refused("--variant nope*", {"--variant", "'nope*'", "team"});
  expect_refused("--exclude-variant nope*", {"--exclude-variant", "'nope*'"});
}

TEST_F(MiniappOptions, ARecordNamedStdoutGoesThere) {
  const std::string run = "--algorithm yax --variant team --rows 5 --cols 7 --reps 1 --csv ";
  EXPECT_EQ(miniapp(run + "stdout").out.substr(0, 10), "algorithm,");
  expect_refused("--json stdout --csv -", {"--csv -: --json already goes to stdout"});
}

TEST_F(MiniappOptions, NumbersThatAreNoneAreRefused) {
  for (const char* size : {"-5", "abc", "12x", "1.5", "2^", "2^-1", "^3", "0x10", "4K", "1e6"})
    expect_refused(std::string("--rows ") + size, {std::string("--rows ") + size, "4096, 2^12"});
  for (const char* size :
       {"18446744073709551616", "2^64", "2^99999999999", "18446744073709551615k"})
    expect_refused(std::string("--cols ") + size, {std::string("--cols ") + size, "is too large"});
  for (const char* option : {"--team-size", "--league-size", "--stride"})
    for (const char* value : {"0", "-1", "x", "2^31"})
      expect_refused(std::string(option) + " " + value, {std::string(option) + " " + value});
  for (const char* option :
       {"--reps", "--warmup", "--seed", "--min-time", "--max-noise", "--timeout"})
    for (const char* value : {"-1", "abc", "1.5.1"})
      expect_refused(std::string(option) + " " + value, {std::string(option) + " " + value});
  for (const char* option : {"--reps", "--warmup"})
    expect_refused(option + std::string(" abc"), {"abc: is not a count; write 10, say"});
  expect_refused("--seed abc", {"--seed abc: is not a whole number; write 42"});
  expect_refused("--team-size abc", {"is not a number of threads; write 128, auto or sweep"});
  expect_refused("--league-size abc", {"is not a number of teams"});
  expect_refused("--stride 1,abc", {"--stride abc: is not a number of elements"});
  expect_refused("--row-padding 0,abc",
                 {"--row-padding abc: is not a number of elements; write 0,3"});
  expect_refused("--reps 0", {"--reps 0", "from 1"});
  expect_refused("--min-time nan", {"--min-time nan", "seconds"});
  expect_refused("--min-time inf", {"--min-time inf", "seconds"});
  expect_refused("--timeout 3601", {"--timeout 3601", "seconds from 0 to 3600"});
  expect_refused("--max-noise 101", {"--max-noise 101", "per cent from 0 to 100"});
}

TEST_F(MiniappOptions, SizesWhoseBytesOverflowAreRefused) {
  for (const char* size : {"2^33", "2^40", "2^63", "18446744073709551615"}) // elements overflow
    expect_refused("--algorithm yax --rows " + std::string(size) + " --cols 2^33",
                   {"yax, array ", "do not fit a 64-bit size"});
  // 2^62 elements fit, their bytes do not.
  expect_refused("--algorithm transpose --rows 2^31 --cols 2^31", {"transpose, array a", "64-bit"});
  expect_refused("--algorithm average_mv --sets 2^22 --length 2^22 --vectors 2^22", {"array v"});
}

TEST_F(MiniappOptions, OptionsThatDoNotFitTogetherAreRefused) {
  expect_refused("--variant team --team-size 64", {"--team-size", "none of the selected variants"});
  expect_refused("--variant team --team-size sweep", {"--team-size", "these do: "});
  expect_refused("--variant team --league-size 4", {"--league-size", "none of the selected"});
  expect_refused("--variant team --stride 4", {"--stride", "these do: ", "strided"});
  expect_refused("--algorithm vector_add --row-padding 3", {"--row-padding 3", "have no rows"});
  expect_refused("--algorithm yax --sets 5", {"--sets 5", "none of the selected algorithms"});
  expect_refused("--algorithm yax,average --type i32", {"--type i32", "none of the selected"});
  expect_refused("--algorithm yax --variant m_outer", {"nothing to run", "yax: ", "kokkos/team"});
  expect_refused("--algorithm yax --variant team --exclude-variant team", {"nothing to run"});
  expect_refused("--exclude-variant all", {"--exclude-variant", "'all'"});
  expect_refused("--algorithm yax --reference openmp/m_outer",
                 {"--reference openmp/m_outer", "none of the selected algorithms"});
}

TEST_F(MiniappOptions, WhatHasNoEffectBesideAModeIsRefused) {
  expect_refused("--list --csv -", {"--list: shows what there is", "leave out --csv"});
  expect_refused("--list --reps 3", {"leave out --reps"});
  expect_refused("--list --dry-run", {"leave out --dry-run"});
  expect_refused("--selftest --algorithm yax --variant team",
                 {"--selftest", "leave out --variant"});
  expect_refused("--sizes huge", {"--sizes: no 'huge'", "classic, small, large"});
  expect_refused("--algorithm yax --rows 0", {"--rows 0", "nothing to measure"});
  expect_refused("--list --sizes small", {"--list", "leave out --sizes"});
  expect_refused("--selftest --rows 9", {"--selftest", "leave out --rows"});
}

TEST_F(MiniappOptions, SweepsThatAreNoneAreRefused) {
  expect_refused("--sweep rows=8:1:x2", {"--sweep rows=8:1:x2", "the smaller size first"});
  expect_refused("--rows 5 --sweep cols=3 --sweep rows=1,2",
                 {"--sweep rows=1,2", "--rows 5", "leave one of them out"});
  expect_refused("--algorithm yax --sweep N=1,2", {"--sweep N=1,2, sets", "none of the selected"});
  expect_refused("--algorithm yax --rows 1 --sweep cols=2^62,2^61", {"yax, array a", "64-bit"});
}

TEST_F(MiniappOptions, RepsLeaveNothingToOtherRules) {
  expect_refused("--reps 5 --min-time 1", {"--min-time 1", "--reps 5", "leave out one"});
  expect_refused("--max-noise 2 --reps 5", {"--max-noise 2", "--reps 5", "leave out one"});
}

TEST_F(MiniappOptions, LaunchesOfAHostAreRefused) {
  expect_refused("--launches --backend " + host_backend(),
                 {"--launches", "runs on the host", "--backend"});
}

TEST_F(MiniappOptions, KokkosTakesItsValuesWithAnEqualsSign) {
  expect_refused("--kokkos-device-id 0", {"write --kokkos-device-id=0"});
  expect_refused("--kokkos-num-threads 2 --list", {"write --kokkos-num-threads=2"});
  expect_refused("--kokkos-num-threads", {"a value is missing"});
  // Kokkos would dump core on these.
  expect_refused("--kokkos-num-threads=0", {"--kokkos-num-threads=0", "from 1 to 512"});
  expect_refused("--kokkos-num-threads=x", {"--kokkos-num-threads=x", "from 1 to 512"});
  expect_refused("--kokkos-device-id=x", {"--kokkos-device-id=x", "must be a number"});
}

TEST_F(MiniappOptions, WhatKokkosAbortsOnIsAMessage) {
  expect_refused("--kokkos-map-device-id-by=foo",
                 {"'--kokkos-map-device-id-by=foo' is not recognized; see --kokkos-help\n"});
  expect_refused("--kokkos-print-configuration=maybe",
                 {"print-configuration=maybe", "boolean; see"});
  expect_refused("--kokkos-tools-libs", {"'--kokkos-tools-libs'", "a valid string; see"});
  expect_refused("--kokkos-num-threads=513", {"--kokkos-num-threads=513", "from 1 to 512"});
  expect_refused("--list --backend openmp:513", {"openmp:513", "from 1 to 512"});
}

TEST_F(MiniappOptions, WhatKokkosOnlyWarnsOfIsRefused) {
  expect_refused("--kokkos-foo", {"--kokkos-foo: Kokkos has no such option; see --kokkos-help"});
  expect_refused("--kokkos-foo=1 --list", {"--kokkos-foo=1: Kokkos has no such option"});
  expect_refused("--kokkos-tools-libs=/no/such",
                 {"--kokkos-tools-libs=/no/such: Kokkos cannot load "
                  "that tool: ",
                  "No such file or directory"});
  expect_refused("--kokkos-tools-libs=libm.so.6", {"libm.so.6", "finds no tool in that library"});
}

#ifndef __SANITIZE_ADDRESS__ // it wants to be loaded first
TEST_F(MiniappOptions, TwoOpenMPRuntimesAreRefused) {
  if (host_backend() != "openmp") GTEST_SKIP() << "skipped: it is of OpenMP";
  const std::string second = path("libomp.so.5"); // any library; its name tells
  std::filesystem::copy_file(ADO_KOKKOS_TOOL, second);
  const Outcome list = miniapp("--list", {.environment = {"LD_PRELOAD=" + second}});
  EXPECT_EQ(list.status, 3) << list;
  EXPECT_NE(list.err.find("there are two OpenMP runtimes in this program"), std::string::npos);
  EXPECT_NE(list.err.find(second), std::string::npos) << list.err;
}
#endif

TEST_F(MiniappOptions, VariablesThatKokkosRefusesAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"KOKKOS_NUM_THREADS=abc", "to an integer; unset it, or see --kokkos-help"},
      {"KOKKOS_NUM_THREADS=-3", "must be greater than or equal to one"},
      {"KOKKOS_NUM_THREADS=513", "from 1 to 512"},
      {"KOKKOS_NUM_THREADS=99999999999999", "from 1 to 512"},
      {"KOKKOS_DEVICE_ID=abc", "to an integer"},
      {"KOKKOS_MAP_DEVICE_ID_BY=foo", "is not recognized"},
      {"KOKKOS_PRINT_CONFIGURATION=maybe", "to a boolean"},
      {"KOKKOS_TOOLS_LIBS=/no/such", "cannot load that tool"}};
  for (const auto& [variable, why] : cases)
    expect_refused("--list", {variable, why}, {.environment = {variable}});
  EXPECT_EQ(miniapp("--list", {.environment = {"KOKKOS_NUM_THREADS=512"}}).status, 0);
  if (host_backend() == "openmp")
    expect_refused("--list", {"OpenMP has 600 threads", "set OMP_NUM_THREADS"},
                   {.environment = {"OMP_NUM_THREADS=600"}});
}

TEST_F(MiniappOptions, WhatKokkosSaysAtItsStartIsStillSaid) {
  const Outcome outcome =
      miniapp("--list", {.environment = {"KOKKOS_PROFILE_LIBRARY=" ADO_KOKKOS_TOOL}});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.err.find("'KOKKOS_PROFILE_LIBRARY' is deprecated"), std::string::npos)
      << outcome;
}

TEST_F(MiniappOptions, ABackendThatIsNotBuiltInIsNoDevice) {
  for (const char* option : {"--backend nope", "--reference serial/serial@nope"}) {
    const Outcome outcome = miniapp(option);
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("no backend 'nope' in this build; it has "), std::string::npos)
        << outcome.err;
  }
}

TEST_F(MiniappOptions, HelpAndVersionNeedNoKokkos) {
  // With this, Kokkos does not start.
  const Surroundings hostile{.environment = {"KOKKOS_NUM_THREADS=none"}};
  ASSERT_EQ(miniapp("--list", hostile).status, 2);
  for (const char* option : {"--help", "-h", "--version", "explain --help", "explain noise"}) {
    const Outcome outcome = miniapp(option, hostile);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err, "");
  }
  const std::string help = miniapp("--help").out;
  for (const char* option : {"--algorithm",
                             "--variant",
                             "--exclude-variant",
                             "--model",
                             "--backend",
                             "--reference",
                             " -N,",
                             "--sets ",
                             " -M,",
                             "--vectors ",
                             " -L,",
                             "--length ",
                             "--rows",
                             "--cols",
                             "--sweep",
                             "--dry-run",
                             "--type",
                             "--data",
                             "--seed",
                             "--input",
                             "--output",
                             "--reps",
                             "--min-time",
                             "--max-noise",
                             "--timeout",
                             "--warmup",
                             "--json",
                             "--csv",
                             "--markdown",
                             "--launches",
                             "--list",
                             "--version",
                             "--kokkos-device-id=",
                             "run --algorithm average --variant plain,tuned",
                             "Exit status"})
    EXPECT_NE(help.find(option), std::string::npos) << option << " is not in\n" << help;
  EXPECT_EQ(miniapp("--version").out.rfind("ado ", 0), 0u);
}

} // namespace
} // namespace ado::bench
