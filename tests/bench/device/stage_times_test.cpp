// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from stage times, and what tables, records and pictures say of them, for made-up
// times.
#include "described_device.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/device/host_stages.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/stage_report.hpp>
#include <ado/bench/report/timeline.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <thread>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

/// Two chunks: the second is copied in while the first is copied, and computed after it.
StageTimes two_chunks() {
  return {{{Stage::copy_in, 1, 0.003, 0.008},
           {Stage::prepare, 0, 0.000, 0.002},
           {Stage::prepare, 1, 0.002, 0.003},
           {Stage::copy_in, 0, 0.002, 0.005},
           {Stage::compute, 0, 0.005, 0.007},
           {Stage::compute, 1, 0.008, 0.0105},
           {Stage::store, 0, 0.007, 0.0075}},
          0.012,
          ""};
}

TEST(StageTimes, OfALaneNeverOverlap) {
  const std::vector<StageSpan> lane = lane_of(two_chunks(), Stage::copy_in);
  ASSERT_EQ(lane.size(), 2u);
  EXPECT_EQ(lane[0].chunk, 0u);
  EXPECT_EQ(lane[0].begin, 0.002);
  EXPECT_EQ(lane[1].chunk, 1u);
  EXPECT_EQ(lane[1].begin, 0.005) << "it waited for the link";
  EXPECT_EQ(lane[1].end, 0.008);
}

TEST(StageTimes, ASpanInsideAnotherTakesNoTimeOfItsOwn) {
  const StageTimes times{{{Stage::compute, 0, 1, 5}, {Stage::compute, 1, 2, 3}}, 5, ""};
  EXPECT_EQ(sums_of(times).of(Stage::compute), 4);
}

TEST(StageTimes, SumsSayWhatLimitsAndHowFarStagesOverlap) {
  const StageSums sums = sums_of(two_chunks());
  EXPECT_DOUBLE_EQ(sums.of(Stage::prepare), 0.003);
  EXPECT_DOUBLE_EQ(sums.of(Stage::copy_in), 0.006);
  EXPECT_DOUBLE_EQ(sums.of(Stage::compute), 0.0045);
  EXPECT_EQ(sums.of(Stage::copy_out), 0);
  EXPECT_EQ(sums.limit(), "copy in");
  EXPECT_DOUBLE_EQ(sums.limit_share(), 0.5);
  EXPECT_DOUBLE_EQ(sums.overlap(), 0.014 / 0.012);
}

/// Two stages of the host, each shorter than the kernel; where they overlap, time counts once.
TEST(StageTimes, TheHostIsOneWorker) {
  const StageTimes times{{{Stage::prepare, 0, 0, 3},
                          {Stage::prepare, 1, 4, 6},
                          {Stage::store, 0, 5, 9},
                          {Stage::compute, 0, 3, 9}},
                         10,
                         ""};
  const StageSums sums = sums_of(times);
  EXPECT_EQ(sums.host, 8);
  EXPECT_EQ(sums.limit(), "host");
  EXPECT_DOUBLE_EQ(sums.limit_share(), 0.8);
}

TEST(StageTimes, OfNothingAreNothing) {
  EXPECT_EQ(sums_of({}).overlap(), 0);
  EXPECT_EQ(sums_of({}).limit_share(), 0);
}

TEST(HostStages, KeepWhatSeveralThreadsTellThem) {
  HostStages stages;
  const double start = HostStages::now();
  std::thread other([&] {
    for (std::size_t chunk = 0; chunk < 100; ++chunk)
      const StageScope scope(&stages, Stage::compute, chunk);
  });
  for (std::size_t chunk = 0; chunk < 100; ++chunk)
    const StageScope scope(&stages, Stage::prepare, chunk);
  other.join();
  stages.begin(Stage::store, 7, nullptr); // never ends
  const StageTimes times = stages.times(start, HostStages::now());
  EXPECT_EQ(times.spans.size(), 200u);
  for (const StageSpan& span : times.spans) {
    EXPECT_GE(span.begin, 0);
    EXPECT_GE(span.end, span.begin);
    EXPECT_LE(span.end, times.elapsed);
  }
}

TEST(HostStages, ALaterSpanOfAChunkIsAnother) {
  HostStages stages;
  for (int k = 0; k < 2; ++k)
    const StageScope scope(&stages, Stage::allocate, 5);
  const StageTimes times = stages.times(0, 1);
  ASSERT_EQ(times.spans.size(), 2u);
  EXPECT_LE(times.spans[0].end, times.spans[1].begin);
}

/// Two variants of pipeline on a described GPU; on a host a native variant fills both rows.
class StageRecord : public testing::Test {
protected:
  StageRecord() {
    device_.on_host = false;
    results_.device = &device_;
    results_.ceilings = {1e12, 1e12, 1e12, 1e13, 1e13, 1e-6, 1e-6, 50e9, 40e9};
    const Variant* twin = find_variant("pipeline", "openmp", "overlapped", "");
    for (const char* name : {"async_pinned", "overlapped"}) {
      RowResult row{.problem = {find_algorithm("pipeline"), {2, 1000, 4}, Type::f32}, .name = name};
      row.portable.variant = find_variant("pipeline", "kokkos", name, device_.backend);
      row.native.variant = twin;
      for (Measurement* m : {&row.portable, &row.native}) {
        m->ran = true;
        m->seconds = m->host_seconds = {0.25, 0.5};
        m->stages = two_chunks();
      }
      results_.rows.push_back(row);
    }
  }
  Json document() const {
    return Json::parse(json_text(results_, run_facts(device_, {"miniapp"})));
  }
  std::string screen() const {
    std::ostringstream out;
    print_stages(out, results_);
    return out.str();
  }

  DescribedDevice device_{1, 1 << 20, std::size_t{1} << 30};
  Results results_;
};

TEST_F(StageRecord, TheFirstEntryHasTheSums) {
  const Json list = document()["benchmarks"];
  ASSERT_EQ(list.size(), 8u); // two repetitions of four
  const Json& stages = list[0]["stages"];
  EXPECT_DOUBLE_EQ(stages["copy_in_seconds"].get<double>(), 0.006);
  EXPECT_EQ(stages["allocate_seconds"], 0);
  EXPECT_EQ(stages["elapsed_seconds"], 0.012);
  EXPECT_DOUBLE_EQ(stages["overlap"].get<double>(), 0.014 / 0.012);
  EXPECT_EQ(stages["limit"], "copy in");
  EXPECT_EQ(stages["limit_over_elapsed"], 0.5);
  EXPECT_FALSE(list[1].contains("stages"));
}

TEST_F(StageRecord, SaysWhyThereAreNone) {
  results_.rows[0].portable.stages = {{}, 0, "a clock is missing"};
  EXPECT_EQ(document()["benchmarks"][0]["no_stages"], "a clock is missing");
  EXPECT_NE(screen().find("no stages: a clock is missing"), std::string::npos);
}

TEST_F(StageRecord, TheTableHasEachVariantOnce) {
  const std::string text = screen();
  for (const char* name :
       {"  kokkos/async_pinned ", "  kokkos/overlapped ", "  openmp/overlapped "}) {
    const std::size_t place = text.find(name);
    ASSERT_NE(place, std::string::npos) << text;
    EXPECT_EQ(text.find(name, place + 1), std::string::npos) << text;
  }
  std::istringstream line(text.substr(text.find("  kokkos/overlapped ")));
  std::vector<std::string> cells;
  for (std::string cell; cells.size() < 12 && line >> cell;)
    cells.push_back(cell);
  EXPECT_EQ(cells,
            (std::vector<std::string>{"kokkos/overlapped", "-", "3.000", "6.000", "4.500", "-",
                                      "0.5000", "12.00", "1.17", "copy", "in", "0.50"}));
}

TEST_F(StageRecord, CeilingsOfTheLinkStandBesideTheOthers) {
  EXPECT_EQ(document()["context"]["ceilings"]["link_in_bytes_per_second"], 50e9);
  EXPECT_EQ(document()["context"]["ceilings"]["link_out_bytes_per_second"], 40e9);
  std::ostringstream with, without;
  print_ceilings(with, results_.ceilings);
  EXPECT_NE(with.str().find("link in 50.0, out 40.0 GB/s"), std::string::npos) << with.str();
  EXPECT_EQ(with.str().find("scattered"), std::string::npos) << with.str();
  results_.ceilings.link_in = results_.ceilings.link_out = 0;
  print_ceilings(without, results_.ceilings);
  EXPECT_EQ(without.str().find("link"), std::string::npos) << without.str();
  results_.ceilings.scattered_read = 2600e9;
  results_.ceilings.scattered_update = 1200e9;
  std::ostringstream scattered;
  print_ceilings(scattered, results_.ceilings);
  EXPECT_NE(scattered.str().find("scattered: 64 bytes read at 2600, 32 updated at 1200 GB/s"),
            std::string::npos)
      << scattered.str();
  EXPECT_FALSE(document()["context"]["ceilings"].contains("link_out_bytes_per_second"));
}

/// 0.25 and 0.5 s: the median is 0.375.
TEST_F(StageRecord, TheShareIsOfTheLinkOrOfTheOperationsWhicheverTakesLonger) {
  RowResult& row = results_.rows[0];
  row.problem.shape = {100, 1 << 20, 0};
  const double bytes = 4.0 * 100 * ((1 << 20) + 1);
  EXPECT_DOUBLE_EQ(share_of_ceiling(results_, row, row.portable), bytes / 50e9 / 0.375);
  results_.ceilings.link_out = 1e9; // a sixteenth of the bytes
  EXPECT_DOUBLE_EQ(share_of_ceiling(results_, row, row.portable),
                   4.0 * 100 * (1 << 16) / 1e9 / 0.375);
  results_.ceilings.flops_f32 = 1e9;
  EXPECT_DOUBLE_EQ(share_of_ceiling(results_, row, row.portable),
                   2.0 * 100 * (1 << 20) / 1e9 / 0.375);
  results_.ceilings.link_in = 0;
  results_.ceilings.flops_f32 = 1e13;
  EXPECT_NEAR(share_of_ceiling(results_, row, row.portable), bytes * (1 + 1 / 16.0) / 1e12 / 0.375,
              1e-6)
      << "without a link the memory is what counts";
}

TEST_F(StageRecord, TheLinkIsALimiter) {
  RowResult& row = results_.rows[0];
  row.problem.shape = {100, 1 << 20, 0};
  const double needs = row.traffic().bytes_read / 50e9;
  const auto limiter_at = [&](double share) {
    row.portable.seconds = {needs / share};
    return limiter(results_, row, row.portable);
  };
  EXPECT_EQ(limiter_at(0.9), "link, near the roof");
  EXPECT_EQ(limiter_at(0.7), "link");
  EXPECT_EQ(limiter_at(0.7999), "link");
  EXPECT_EQ(limiter_at(0.601), "link");
  EXPECT_EQ(limiter_at(0.599), "latency");
  EXPECT_EQ(limiter_of_stream(70, 20), "compute");
  EXPECT_EQ(limiter_of_stream(65, 70), "balanced");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(Timeline, HasALaneAStageAndABlockAChunk) {
  const std::string svg = timeline_svg("a < b & c", two_chunks());
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<title>chunk "), 7u);
  for (const char* lane : {">prepare<", ">copy in<", ">compute<", ">store<"})
    EXPECT_EQ(count_of(svg, lane), 1u) << lane;
  EXPECT_EQ(count_of(svg, ">copy out<"), 0u) << "no chunk was there";
  // 12 ms on 800 units: the first copy takes from 2 to 5 ms.
  EXPECT_NE(svg.find("x=\"213.33\" y=\"84.0\" width=\"200.00\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("chunk 0, copy in 3 ms"), std::string::npos) << svg;
}

TEST(Timeline, TraceHasAnEventForEachChunkAndStage) {
  const Json trace = Json::parse(timeline_trace({{"one", two_chunks()}, {"other", two_chunks()}}));
  std::vector<std::string> processes, lanes;
  std::size_t spans = 0;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") {
      spans += event.at("pid") == 1;
      continue;
    }
    const bool is_process = event.at("name") == "process_name";
    (is_process ? processes : lanes).push_back(event.at("args").at("name"));
  }
  EXPECT_EQ(processes, (std::vector<std::string>{"one", "other"}));
  EXPECT_EQ(lanes.size(), 8u) << "no chunk was copied out or allocated";
  EXPECT_EQ(spans, 7u);
  const auto copy = std::find_if(
      trace.at("traceEvents").begin(), trace.at("traceEvents").end(),
      [](const Json& e) { return e.value("cat", "") == "copy in" && e.at("name") == "chunk 0"; });
  ASSERT_NE(copy, trace.at("traceEvents").end());
  EXPECT_NEAR(copy->at("ts").get<double>(), 2000, 1e-9);
  EXPECT_NEAR(copy->at("dur").get<double>(), 3000, 1e-9);
}

TEST(Timeline, HasFiveToTenMarksOfRoundNumbers) {
  const auto marks = [](double milliseconds, const std::vector<std::string>& expected) {
    const std::string svg = timeline_svg("", {{}, milliseconds / 1e3, ""});
    EXPECT_EQ(count_of(svg, "<line "), expected.size()) << svg;
    for (const std::string& mark : expected)
      EXPECT_EQ(count_of(svg, ">" + mark + "</text>"), 1u) << mark << " in " << svg;
  };
  marks(0.071, {"0.00", "0.01", "0.02", "0.03", "0.04", "0.05", "0.06", "0.07"});
  marks(7.3, {"0", "1", "2", "3", "4", "5", "6", "7"});
  marks(12, {"0", "2", "4", "6", "8", "10", "12"});
  marks(271, {"0", "50", "100", "150", "200", "250"});
}

TEST(Timeline, OfSeveralVariantsHaveTheirNamesInTheFiles) {
  EXPECT_EQ(timeline_path("run.svg", "kokkos/overlapped"), "run_kokkos_overlapped.svg");
  EXPECT_EQ(timeline_path("a.b/run", "cuda/overlapped, team 64"),
            "a.b/run_cuda_overlapped_team_64");
  EXPECT_EQ(timeline_path("a.b/run.x.svg", "n"), "a.b/run.x_n.svg");
}

TEST(Timeline, NeedsAnAlgorithmWithStages) {
  const DescribedDevice device(2, 1 << 20, std::size_t{1} << 30);
  Options options;
  options.algorithms = {"yax"};
  options.stages = true;
  EXPECT_THROW(plan_cases(options, device), UsageError);
  options.stages = false;
  options.timeline = "t.svg";
  EXPECT_THROW(plan_cases(options, device), UsageError);
  options.algorithms = {"yax", "pipeline"};
  EXPECT_NO_THROW(plan_cases(options, device));
}

} // namespace
} // namespace ado::bench
