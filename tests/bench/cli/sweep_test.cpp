// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes and values that --sweep reads from a text, or why it refuses it.
#include "expect_refused.hpp"
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/sweep.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace ado::bench {
namespace {

using Values = std::vector<std::size_t>;

Values values(const std::string& items) { return parse_sweep("rows=" + items).values; }

TEST(ParseSweep, RangesMultiplyOrAdd) {
  EXPECT_EQ(values("1024:8192:x2"), (Values{1024, 2048, 4096, 8192}));
  EXPECT_EQ(values("100:500:+100"), (Values{100, 200, 300, 400, 500}));
  EXPECT_EQ(values("0:2:+1"), (Values{0, 1, 2}));
  EXPECT_EQ(values("7:7:x2"), Values{7});
}

TEST(ParseSweep, ARangeStopsBeforeItsEndWhereTheStepsMissIt) {
  EXPECT_EQ(values("10:79:x2"), (Values{10, 20, 40}));
  EXPECT_EQ(values("10:80:x2"), (Values{10, 20, 40, 80}));
  EXPECT_EQ(values("10:39:+10"), (Values{10, 20, 30}));
  EXPECT_EQ(values("1:5:+2^63"), Values{1});
}

TEST(ParseSweep, RangesUpToTheLargestSizeDoNotWrap) {
  const std::size_t most = ~std::size_t{0};
  EXPECT_EQ(values("2^62:18446744073709551615:x2"),
            (Values{std::size_t{1} << 62, std::size_t{1} << 63}));
  EXPECT_EQ(values("18446744073709551614:18446744073709551615:+1"), (Values{most - 1, most}));
}

TEST(ParseSweep, ListsKeepTheirOrderAndMayHoldRanges) {
  EXPECT_EQ(values("4096,100,1000"), (Values{4096, 100, 1000}));
  EXPECT_EQ(values("3,8:32:x2,5"), (Values{3, 8, 16, 32, 5}));
}

TEST(ParseSweep, EverySizeMayHaveASuffix) {
  EXPECT_EQ(values("1Ki:4Ki:x2"), (Values{1024, 2048, 4096}));
  EXPECT_EQ(values("1k:2^11:+1k"), (Values{1000, 2000}));
  EXPECT_EQ(values("2^3,2k"), (Values{8, 2000}));
  EXPECT_EQ(values("1:100:x10^1"), (Values{1, 10, 100}));
}

TEST(ParseSweep, SizesHaveTheNamesOfTheirOptions) {
  EXPECT_EQ(parse_sweep("rows=1").sizes, Names{"rows"});
  EXPECT_EQ(parse_sweep("N=1").sizes, Names{"sets"});
  EXPECT_EQ(parse_sweep("M=1").sizes, Names{"vectors"});
  EXPECT_EQ(parse_sweep("length=1").sizes, Names{"length"});
  EXPECT_EQ(parse_sweep("rows=cols=1,2").sizes, (Names{"rows", "cols"}));
  EXPECT_EQ(parse_sweep("rows=cols=1,2").values, (Values{1, 2}));
  EXPECT_EQ(parse_sweep("rows=1,2").text, "rows=1,2");
}

/// The message must quote the sweep and hold the fragment.
void expect_sweep_refused(const std::string& text, const std::string& fragment) {
  SCOPED_TRACE(text);
  expect_refused([&] { parse_sweep(text); }, {"--sweep " + text, fragment});
}

TEST(ParseSweep, WhatIsNoSweepIsRefusedWithAnExample) {
  for (const char* text : {"", "rows", "=", "rows=", "=5", "rows==5", "rows=cols=", "5:6:x2"})
    expect_sweep_refused(text, "rows=1Ki:32Ki:x2");
}

TEST(ParseSweep, NamesThatNobodyKnowsAreRefusedWithTheKnownOnes) {
  for (const char* text :
       {"row=5", "q=5", "rows =5", "--rows=5", "rows=cols=x=5", "RN=5", "Nope=5"})
    expect_sweep_refused(text, "rows, cols");
  expect_sweep_refused("x=5", "'x'");
  expect_sweep_refused("x=5", "sets or N");
}

TEST(ParseSweep, ValuesThatAreNoSizesAreRefused) {
  for (const char* text :
       {"rows=x", "rows=-1", "rows=1.5", "rows=1,,2", "rows=,", "rows=1,", "rows=a:8:x2",
        "rows=1:b:x2", "rows=1:8:+", "rows=1:8:+-1", "rows=::x2", "rows=1;2", "rows=0x10"})
    expect_sweep_refused(text, "is not a size; write 4096, 2^12");
  for (const char* text : {"rows=1k:4k:x1.5", "rows=1:8:xc", "rows=1:8:x", "rows=1:8:x-2"})
    expect_sweep_refused(text, "is not a factor, a whole number from 2 on; write x2 or x10");
  for (const char* text : {"rows=2^64", "rows=1:2^64:x2", "rows=18446744073709551616",
                           "rows=1:8:x99999999999999999999"})
    expect_sweep_refused(text, "is too large");
}

TEST(ParseSweep, RangesThatAreNoneAreRefused) {
  for (const char* text : {"rows=1:8", "rows=1:8:x2:3", "rows=:", "rows=1:2:x2:"})
    expect_sweep_refused(text, "write FIRST:LAST:x2 or FIRST:LAST:+1024");
  for (const char* text : {"rows=1:8:2", "rows=1:8:-1", "rows=1:8:*2", "rows=1:8:", "rows=1:8:X2"})
    expect_sweep_refused(text, "is no step; write x2, say, or +1024");
  expect_sweep_refused("rows=8:1:x2", "the smaller size first");
  expect_sweep_refused("rows=8:1:+1", "the smaller size first");
}

TEST(ParseSweep, RangesWithoutAnEndAreRefused) {
  for (const char* text : {"rows=1:8:x0", "rows=1:8:x1", "rows=0:8:x2", "rows=1:8:+0",
                           "rows=0:0:x2", "rows=5:5:+0", "rows=0:8:x1^60"})
    expect_sweep_refused(text, "would never end");
}

TEST(ParseSweep, ValuesThatOccurTwiceAreRefused) {
  expect_sweep_refused("rows=5,6,5", "5 occurs twice");
  expect_sweep_refused("rows=1:8:x2,4Ki,2^2", "4 occurs twice");
}

TEST(ParseSweep, TooManyValuesAreRefused) {
  EXPECT_EQ(values("1:10000:+1").size(), most_cases);
  expect_sweep_refused("rows=1:10001:+1", "more than 10000 values");
  expect_sweep_refused("rows=1:18446744073709551615:+1", "larger step");
}

TEST(ParseSweeps, ASizeIsSetOnce) {
  EXPECT_EQ(parse_sweeps({"rows=1,2", "cols=3"}, {{"sets", 5}}).size(), 2u);
  const auto refused = [](const Names& texts, const Sizes& given, const Names& fragments) {
    expect_refused([&] { parse_sweeps(texts, given); }, fragments);
  };
  refused({"rows=1,2", "rows=3"}, {}, {"--sweep rows=3: ", "--sweep rows=1,2", "leave one"});
  refused({"rows=rows=3"}, {}, {"rows is already set"});
  refused({"sets=1", "N=3"}, {}, {"--sweep N=3: sets", "--sweep sets=1"});
  refused({"rows=cols=1,2"}, {{"cols", 5}}, {"--sweep rows=cols=1,2", "--cols 5"});
}

TEST(SweepPoints, EveryCombinationTheLastSweepFastest) {
  const auto sweeps = parse_sweeps({"rows=1,2", "N=9", "cols=3,4"}, {});
  EXPECT_EQ(sweep_points(sweeps, *find_algorithm("yax")),
            (std::vector<Sizes>{{{"rows", 1}, {"cols", 3}},
                                {{"rows", 1}, {"cols", 4}},
                                {{"rows", 2}, {"cols", 3}},
                                {{"rows", 2}, {"cols", 4}}}));
  EXPECT_EQ(sweep_points(sweeps, *find_algorithm("average_mv")),
            (std::vector<Sizes>{{{"sets", 9}}}));
}

TEST(SweepPoints, WithoutASweptSizeThereIsOne) {
  EXPECT_EQ(sweep_points({}, *find_algorithm("yax")), std::vector<Sizes>(1));
  EXPECT_EQ(sweep_points(parse_sweeps({"N=1,2"}, {}), *find_algorithm("yax")),
            std::vector<Sizes>(1));
}

TEST(SweepPoints, TooManyAreRefusedBeforeTheyAreMade) {
  const auto sweeps = [](const Names& texts) { return parse_sweeps(texts, {}); };
  const Algorithm& algorithm = *find_algorithm("average_mv");
  EXPECT_EQ(sweep_points(sweeps({"N=1:100:+1", "M=1:100:+1"}), algorithm).size(), most_cases);
  expect_refused(
      [&] {
        sweep_points(sweeps({"N=1:100:+1", "M=1:101:+1"}), algorithm);
      },
      {"--sweep M=1:101:+1", "more than 10000 cases of average_mv", "fewer"});
  expect_refused(
      [&] {
        sweep_points(sweeps({"N=1:9999:+1", "M=1:9999:+1", "L=1:9999:+1"}), algorithm);
      },
      {"more than 10000 cases"});
}

} // namespace
} // namespace ado::bench
