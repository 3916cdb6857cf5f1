// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, units and counters of --ncu-csv that are unknown, ambiguous or impossible.
#include "ncu_files.hpp"

#include <string>
#include <utility>

namespace ado::bench {
namespace {

/// How a table's only metric is read, beside another that shows the locale.
class NcuNumbers : public NcuCsv {
protected:
  static std::string table(const std::string& metric, const std::string& unit,
                           const std::string& text, const std::string& other) {
    return "\"ID\",\"Kernel Name\",\"Host Name\",\"" + metric + "\",\"z__z.avg\"\n" +
           "\"\",\"\",\"\",\"" + unit + "\",\"\"\n" + "\"0\",\"k\",\"127.0.0.1\",\"" + text +
           "\",\"" + other + "\"\n";
  }
  double read(const std::string& text, const std::string& other) const {
    return read_ncu_csv(file(table("a__b.avg", "", text, other)))
        .at(0)
        .metric("a__b.avg")
        .value_or(-1);
  }
};

TEST_F(NcuNumbers, AreReadInTheLocaleThatWroteThem) {
  for (const char* other : {"72.81", "1,234,567", "0.123", "1234.567", "1,234.5"}) {
    SCOPED_TRACE(other);
    EXPECT_EQ(read("1,234", other), 1234);
    EXPECT_EQ(read("1.234", other), 1.234);
    EXPECT_EQ(read("1,234,567", other), 1234567);
    EXPECT_EQ(read("12", other), 12);
    EXPECT_EQ(read("1.5e-3", other), 1.5e-3);
  }
  for (const char* other : {"72,81", "1.234.567", "0,123", "1234,567", "1.234,5", "1'234,5"}) {
    SCOPED_TRACE(other);
    EXPECT_EQ(read("1.234", other), 1234);
    EXPECT_EQ(read("1,234", other), 1.234);
    EXPECT_EQ(read("1.234.567,25", other), 1234567.25);
    EXPECT_EQ(read("72,81", other), 72.81);
    EXPECT_EQ(read("1,5e-3", other), 1.5e-3);
  }
  for (const char* mark : {"'", " ", "\u00a0", "\u202f", "\u2019"}) {
    const std::string m = mark;
    EXPECT_EQ(read("1" + m + "234" + m + "567", "n/a"), 1234567) << mark;
    EXPECT_EQ(read("12" + m + "345,5", "n/a"), 12345.5) << mark;
    EXPECT_EQ(read("12" + m + "345.5", "n/a"), 12345.5) << mark;
  }
  for (const char* text : {"n/a", "nan", "inf", "", "-", "1 2", "3 (1; 2)", "0x10", "1e", "1e400"})
    EXPECT_EQ(read(text, "72.81"), -1) << text << " is no number";
  EXPECT_EQ(read(std::string(200, '1'), "72.81"), -1);
}

TEST_F(NcuNumbers, ThatMayBeTwoAreRefusedWithTheMend) {
  const std::string mend = "; write the file anew with LC_ALL=C ncu --print-units base";
  expect_error(table("a__b.avg", "", "1,234", "7"),
               {":3: column a__b.avg: \"1,234\" may be 1234 or 1.234" + mend});
  expect_error(table("a__b.avg", "", "7", "-123.456"),
               {":3: column z__z.avg: \"-123.456\" may be -123.456 or -123456" + mend});
  expect_error(
      table("a__b.avg", "", "72,81", "0.5"),
      {":3: column z__z.avg: \"0.5\" and, in line 3, \"72,81\" are not of one locale" + mend});
  for (const char* text : {"1,23,456", "1.2.3", "1,234,56", "1.234,567,8", "0,123,456", "1'23"})
    expect_error(table("a__b.avg", "", text, "72.81"),
                 {":3: column a__b.avg: \"" + std::string(text) + "\" is no number" + mend});
}

TEST_F(NcuNumbers, UnitsHavePrefixes) {
  const auto in = [&](const std::string& metric, const std::string& unit) {
    return read_ncu_csv(file(table(metric, unit, "2.50", "1"))).at(0).metric(metric).value();
  };
  const std::pair<const char*, double> seconds[] = {
      {"nsecond", 1e-9}, {"ns", 1e-9}, {"usecond", 1e-6}, {"us", 1e-6},
      {"msecond", 1e-3}, {"ms", 1e-3}, {"second", 1},     {"s", 1}};
  for (const auto& [unit, factor] : seconds)
    EXPECT_DOUBLE_EQ(in("gpu__time_duration.sum", unit), 2.5 * factor) << unit;
  const std::pair<const char*, double> bytes[] = {{"byte", 1},    {"Kbyte", 1e3},  {"Mbyte", 1e6},
                                                  {"Gbyte", 1e9}, {"Tbyte", 1e12}, {"KB", 1e3},
                                                  {"GB", 1e9},    {"B", 1}};
  for (const auto& [unit, factor] : bytes) {
    EXPECT_DOUBLE_EQ(in("lts__t_bytes.sum", unit), 2.5 * factor) << unit;
    EXPECT_DOUBLE_EQ(in("dram__bytes_read.sum.per_second", unit + std::string("/second")),
                     2.5 * factor);
    EXPECT_DOUBLE_EQ(in("dram__bytes_read.sum.per_second", unit + std::string("/ns")),
                     2.5e9 * factor);
  }
  EXPECT_DOUBLE_EQ(in("dram__cycles_elapsed.avg.per_second", "Ghz"), 2.5e9);
  for (const char* unit : {"inst", "warp", "sectors", "register/thread", "%", "cycle", "block"})
    EXPECT_DOUBLE_EQ(in("a__b.avg", unit), 2.5) << unit;
  // Nsight Compute 2025.3 has this column.
  EXPECT_DOUBLE_EQ(in("derived__pct_occupancy_per_register_count", "%/register"), 2.5);
  expect_error(
      table("gpu__time_duration.sum", "minute", "2.50", "1"),
      {":3: column gpu__time_duration.sum: its unit, \"minute\", is none of time", "LC_ALL=C"});
  expect_error(table("gpu__time_duration.sum", "", "2.50", "1"), {"\"\", is none of time"});
  expect_error(table("dram__bytes.sum", "sector", "2.50", "1"), {"\"sector\", is none of bytes"});
  expect_error(table("a__b.avg.pct_of_peak_sustained_elapsed", "us", "2.50", "1"),
               {"\"us\", is none of per cent"});
}

TEST_F(NcuNumbers, WhatNoGpuCanHaveDoneIsRefused) {
  const auto of_two = [](const std::string& a, const std::string& b) {
    return "\"ID\",\"Kernel Name\",\"" + a + "\",\"" + b + "\"\n\"\",\"\",\"" +
           (a.find("time") == std::string::npos ? "" : "us") + "\",\"\"\n\"0\",\"k\",";
  };
  const std::string busy = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
  const std::string again = "; profile it again, with LC_ALL=C ncu --print-units base";
  expect_error(of_two(busy, "b") + "\"7281\",\"1\"\n",
               {":3: " + busy + " is 7281 %, which is more than all" + again});
  expect_error(of_two(busy, "b") + "\"110.5\",\"1\"\n", {"110.5 %"});
  expect_error(of_two(busy, "b") + "\"-1.5\",\"1\"\n", {busy + " is -1.5, less than nothing"});
  EXPECT_EQ(read_ncu_csv(file(of_two(busy, "b") + "\"101.5\",\"1\"\n")).size(), 1u)
      << "runs differ";
  EXPECT_EQ(
      read_ncu_csv(file(of_two("lts__t_sector_hit_rate.pct", "b") + "\"187.5\",\"1\"\n")).size(),
      1u)
      << "a hit rate may pass 100 %";
  // As Nsight Compute 2025.3 wrote them of short kernels.
  EXPECT_EQ(
      read_ncu_csv(file(of_two("l1tex__throughput.max.pct_of_peak_sustained_active", "b.min.pct") +
                        "\"2,795.43\",\"-0.01\"\n"))
          .size(),
      1u);
  EXPECT_FALSE(read_ncu_csv(file(of_two("lts__t_sectors_op_red.sum", "b") + "\"-1\",\"1\"\n"))
                   .at(0)
                   .metric("lts__t_sectors_op_red.sum"))
      << "not counted";
  const std::string duration = "gpu__time_duration.sum";
  expect_error(of_two(duration, "b") + "\"0\",\"1\"\n", {duration + " is 0 s"});
  expect_error(of_two(duration, "dram__bytes.sum") + "\"1\",\"1,000,000,000\"\n",
               {"dram__bytes.sum is 1e+09 bytes in 1e-06 s, more than any memory moves"});
  EXPECT_EQ(
      read_ncu_csv(file(of_two(duration, "dram__bytes.sum") + "\"1\",\"10,000,000\"\n")).size(),
      1u);
  const std::string loads = "_pipe_lsu_mem_global_op_ld.sum",
                    stores = "_pipe_lsu_mem_global_op_st.sum";
  const std::string l1 = "memory_l1_wavefronts_shared", l2 = "memory_l2_theoretical_sectors_global";
  for (const auto& [part, whole] :
       {std::pair("l1tex__t_requests" + loads, "l1tex__t_sectors" + loads),
        std::pair("l1tex__t_requests" + stores, "l1tex__t_sectors" + stores),
        std::pair("derived__" + l1 + "_excessive", l1),
        std::pair("derived__" + l2 + "_excessive", l2)}) {
    expect_error(of_two(part, whole) + "\"112\",\"100\"\n",
                 {part + " is 112, more than " + whole + ", 100"});
    EXPECT_EQ(read_ncu_csv(file(of_two(part, whole) + "\"100\",\"100\"\n")).size(), 1u);
  }
}

} // namespace
} // namespace ado::bench
