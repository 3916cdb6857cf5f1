// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/progress.hpp>

#include <gtest/gtest.h>

namespace ado::bench {
namespace {

TEST(ProgressLine, NamesTheRowAndTheTimeThatTheRestMayTake) {
  EXPECT_EQ(progress_line(1, 8, 0, 8, 3.0, "yax team"), "[1/8] yax team");
  EXPECT_EQ(progress_line(2, 8, 1, 7, 1.0, "yax team"), "[2/8] yax team, about 7 s left");
  EXPECT_EQ(progress_line(8, 8, 7, 1, 3.5, "yax team"), "[8/8] yax team, about 1 s left");
  EXPECT_EQ(progress_line(3, 8, 2, 6, 18.0, "yax team"), "[3/8] yax team, about 50 s left");
  EXPECT_EQ(progress_line(3, 8, 2, 6, 100.0, "yax team"), "[3/8] yax team, about 5 min left");
  EXPECT_EQ(progress_line(7, 8, 1, 2, 4.0, "yax team"), "[7/8] yax team, about 8 s left");
  EXPECT_EQ(progress_line(3, 8, 4, 6, 8.0, "yax plain"), "[3/8] yax plain, about 10 s left")
      << "of rows that take half as long";
}

} // namespace
} // namespace ado::bench
