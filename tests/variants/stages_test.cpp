// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variants of pipeline report about their stages, on their device.
#include "variant_test.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/measure/measure.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace ado::bench {
namespace {

class Stages : public VariantTest {
protected:
  /// For one run whose result is right.
  StageTimes times_of(Device& on, const Shape& shape) {
    HostData data(problem(shape));
    data.make(DataKind::uniform, 5);
    Workbench bench(on, data, 1);
    auto measured = measure(bench, data.problem(), {&variant()}, {.reps = 1});
    EXPECT_EQ(measured[0].failure, "");
    EXPECT_TRUE(measured[0].stages.spans.empty()) << "nobody asked";
    bench.prepare(variant(), 0, 0);
    find_stages(bench, 0, measured[0]);
    EXPECT_EQ(measured[0].failure, "");
    EXPECT_TRUE(bench.verify(0, variant().rounding_steps(shape, type(), {})).ok)
        << "of the run that told";
    return measured[0].stages;
  }
  static std::multiset<std::size_t> chunks_in(const StageTimes& times, Stage stage) {
    std::multiset<std::size_t> chunks;
    for (const StageSpan& span : times.spans)
      if (span.stage == stage) chunks.insert(span.chunk);
    return chunks;
  }
  bool has_slots() const {
    return variant().name == "overlapped" || variant().name.starts_with("async");
  }
};

TEST_P(Stages, EveryChunkPassesThroughEachOnce) {
  const StageTimes times = times_of(device(), {7, 20011, 3});
  ASSERT_EQ(times.unknown_because, "");
  for (const Stage stage : {Stage::prepare, Stage::copy_in, Stage::compute, Stage::copy_out})
    EXPECT_EQ(chunks_in(times, stage), (std::multiset<std::size_t>{0, 1, 2, 3, 4, 5, 6}))
        << name_of(stage);
  const bool stores = has_slots() && !(device().on_host && variant().name == "overlapped");
  EXPECT_EQ(chunks_in(times, Stage::store).size(), stores ? 7u : 0u);
  EXPECT_EQ(chunks_in(times, Stage::allocate).empty(), variant().name != "malloc_in_loop");
}

TEST_P(Stages, AChunkPassesThroughThemInOrderWithinTheRun) {
  const StageTimes times = times_of(device(), {5, 4099, 9});
  const double clocks_differ = times.clocks_differ + 1e-6; // events are that coarse
  std::map<std::size_t, double> reached;                   // end of the previous stage
  for (const Stage stage :
       {Stage::prepare, Stage::copy_in, Stage::compute, Stage::copy_out, Stage::store})
    for (const StageSpan& span : times.spans) {
      if (span.stage != stage) continue;
      EXPECT_GE(span.begin, reached[span.chunk] - clocks_differ) << name_of(stage) << span.chunk;
      EXPECT_GE(span.end, span.begin);
      EXPECT_LE(span.end, times.elapsed + clocks_differ);
      reached[span.chunk] = span.end;
    }
}

TEST_P(Stages, OneThreadDoesOneThingAtATime) {
  if (!device().on_host) GTEST_SKIP() << "a GPU does several";
  const auto alone = open_device_of(variant(), device().backend == "openmp" ? 1 : 0);
  alone->queue.threads = 1;
  const StageTimes times = times_of(*alone, {6, 20011, 3});
  EXPECT_LE(sums_of(times).overlap(), 1 + 1e-9);
  EXPECT_EQ(times.spans.size(), variant().name == "malloc_in_loop"    ? 6 * 7u
                                : variant().name.starts_with("async") ? 6 * 5u
                                                                      : 6 * 4u);
}

TEST_P(Stages, OfNoChunksAreNone) { EXPECT_TRUE(times_of(device(), {0, 100, 3}).spans.empty()); }

/// A stream of chunks that reports stages; the oracle's copies nothing.
bool tells_stages(const VariantCase& c) {
  return c.variant->algorithm == "pipeline" && c.variant->model != Model::serial;
}
ADO_FOR_VARIANTS(Stages, tells_stages);

} // namespace
} // namespace ado::bench
