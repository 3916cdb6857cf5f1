// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices read from files, files that change meanwhile, and both in a session.
#include "streamed.hpp"
#include <ado/bench/run/session.hpp>

#include <algorithm>
#include <chrono>

namespace ado::bench {
namespace {

using StreamedFiles = StreamedErrors;

/// Slices from files must equal slices from memory.
void expect_files_right(Device& device, const HostData& whole,
                        const std::map<std::string, std::string>& files, const Variant& variant,
                        const Cut& cut = {3}) {
  const Problem& problem = whole.problem();
  StreamedData data(device, problem, limits_of(problem, cut), files);
  EXPECT_EQ(data.slices().across() > 1, cut.blocks && !data.reads_files());
  data.load(DataKind::uniform, 11);
  StreamedBench bench(device, data, 1);
  auto measured = measure(bench, problem, {&variant}, {.reps = 2});
  ASSERT_EQ(measured[0].failure, "");
  const Check check = whole.oracle().check(bench.host_output(0), bench.rounding_steps(variant, {}));
  EXPECT_TRUE(check.ok) << check.first_wrong;
  find_stages(bench, 0, measured[0]);
  const auto& spans = measured[0].stages.spans;
  const auto reads = std::count_if(spans.begin(), spans.end(), [](const StageSpan& span) {
    return span.stage == Stage::prepare;
  });
  EXPECT_EQ(static_cast<std::size_t>(reads), data.reads_files() ? data.slices().count : 0);
}

TEST_F(StreamedFiles, AreReadSliceBySlice) {
  for (const char* algorithm : {"average", "average_mv", "transpose", "yax", "vector_add"}) {
    SCOPED_TRACE(algorithm);
    Problem problem{find_algorithm(algorithm), {20, 23, 7}, Type::f32};
    for (std::size_t k = problem.algorithm->sizes.size(); k < 3; ++k)
      problem.shape[k] = 1;
    HostData whole(problem);
    whole.make(DataKind::uniform, 11);
    std::map<std::string, std::string> files, fortran;
    for (std::size_t k = 0; k < whole.input_count(); ++k) {
      const std::string name(whole.specs()[k].name);
      files[name] = path(name + ".npy");
      fortran[name] = path(name + "_f.npy");
      write_input(whole, k, files[name]);
      write_fortran(whole, k, fortran[name]);
    }
    for (const std::string& backend : backend_names()) {
      SCOPED_TRACE(backend);
      const auto device = open_device({backend, 0});
      const Variant& team = *find_variant(algorithm, "kokkos", "tuned", backend);
      expect_files_right(*device, whole, files, team);
      expect_files_right(*device, whole, fortran, team);
      // One input from a file, the others made from the same seed.
      const std::string last(whole.specs()[whole.input_count() - 1].name);
      expect_files_right(*device, whole, {{last, files[last]}}, team);
    }
  }
}

/// A file is read in one piece; data held in memory is not.
TEST_F(StreamedFiles, AreInBlocksWhereTheyAreHeldInMemory) {
  const Problem problem{find_algorithm("transpose"), {20, 23, 1}, Type::f32};
  HostData whole(problem);
  whole.make(DataKind::uniform, 11);
  write_input(whole, 0, path("a.npy"));
  write_fortran(whole, 0, path("a_f.npy"));
  for (const std::string& backend : backend_names()) {
    SCOPED_TRACE(backend);
    const auto device = open_device({backend, 0});
    const Variant& team = *find_variant("transpose", "kokkos", "tuned", backend);
    for (const char* file : {"a.npy", "a_f.npy"})
      expect_files_right(*device, whole, {{"a", path(file)}}, team, {3, 0, true});
  }
}

TEST_F(StreamedFiles, InFortranOrderMustFitTheHost) {
  const Problem problem{find_algorithm("transpose"), {20, 23, 1}, Type::f32};
  HostData whole(problem);
  whole.make(DataKind::uniform, 11);
  write_fortran(whole, 0, path());
  StreamLimits limits = limits_of(problem, {3});
  limits.host_bytes = 20 * 23 * 4;
  EXPECT_NO_THROW(StreamedData(*device_, problem, limits, {{"a", path()}}));
  --limits.host_bytes;
  expect_refused("is in Fortran order", [&] {
    StreamedData(*device_, problem, limits, {{"a", path()}});
  });
}

TEST_F(StreamedFiles, OfAnotherShapeThanPlannedAreRefused) {
  HostData whole({find_algorithm("transpose"), {20, 23, 1}, Type::f32});
  whole.make(DataKind::uniform, 11);
  write_input(whole, 0, path());
  const Problem other{find_algorithm("transpose"), {23, 20, 1}, Type::f32};
  expect_refused("changed after its header was read", [&] {
    StreamedData(*device_, other, limits_of(other, {3}), {{"a", path()}});
  });
}

/// Streams from a file to which `change` is applied at the third of 30 slices.
Measurement with_file_changed(Device& device, const Variant& right, const std::string& file,
                              const std::function<void()>& change) {
  const Problem problem{find_algorithm("transpose"), {30, 4099, 1}, Type::f32};
  HostData whole(problem);
  whole.make(DataKind::uniform, 11);
  write_npy(file, problem.type, 2, {30, 4099, 1}, whole.input(0).data);
  StreamedData data(device, problem, limits_of(problem, {1}), {{"a", file}});
  data.load(DataKind::uniform, 1);
  StreamedBench bench(device, data, 1);
  const Around around(right, [&](const Call& call, int k) {
    if (k == 2) change();
    Around::right(call);
  });
  return measure(bench, problem, {&around.variant}, {.reps = 1})[0];
}

TEST_F(StreamedFiles, ThatShrinkAreAnErrorAndNoSignal) {
  const Measurement m = with_file_changed(*device_, right("transpose"), path(), [&] {
    std::filesystem::resize_file(path(), 128 + 20 * 4099 * 4 + 5);
  });
  EXPECT_TRUE(starts_with(m.failure, path() + ": became shorter while it was read: at byte "))
      << m.failure;
  EXPECT_NE(m.failure.find(" more bytes were expected, 0 found; "), std::string::npos) << m.failure;
  EXPECT_FALSE(m.ran) << "it is no wrong result";
  EXPECT_TRUE(m.seconds.empty());
}

TEST_F(StreamedFiles, ThatGrowOrAreWrittenToAreAnError) {
  Measurement m = with_file_changed(*device_, right("transpose"), path(), [&] {
    std::ofstream(path(), std::ios::app | std::ios::binary) << "more";
  });
  EXPECT_TRUE(starts_with(m.failure, path() + ": has changed while it was read: it had "))
      << m.failure;
  m = with_file_changed(*device_, right("transpose"), path(), [&] {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-4, std::ios::end);
    file << "more";
    file.close();
    const auto time = std::filesystem::last_write_time(path());
    std::filesystem::last_write_time(path(), time + std::chrono::seconds(1)); // clocks are coarse
  });
  EXPECT_TRUE(starts_with(m.failure, path() + ": was written to while it was read")) << m.failure;
}

/// A session on a device with a memory cap, as the mini-app runs it.
class StreamedSession : public StreamedErrors {
protected:
  Results run(Options options) {
    options.stop.reps = 1;
    const std::vector<Case> cases = plan_cases(options, *device_);
    const Ceilings ceilings{1e9, 1e9, 1e9, 1e9, 1e9, 1e-6};
    return run_cases(options, cases, *device_, *device_, ceilings);
  }
};

TEST_F(StreamedSession, IsStreamedWhereTheCapIsLess) {
  Options options;
  options.algorithms = {"yax"};
  options.variants = {"team"};
  options.sizes = {{"rows", 500}, {"cols", 300}};
  options.reference = ReferenceSpec{"serial", "serial", {}};
  device_->memory_cap = 300000;
  const Results results = run(options);
  ASSERT_EQ(results.rows.size(), 1u);
  const RowResult& row = results.rows[0];
  EXPECT_EQ(row.portable.failure + row.native.failure + row.reference.failure, "");
  ASSERT_TRUE(row.streamed);
  EXPECT_LE(row.streamed->device_bytes, 300000u);
  EXPECT_GT(row.streamed->device_bytes, 200000u) << "much of it is left";
  EXPECT_EQ(exit_status(results), 0);
  device_->memory_cap = 2000000;
  EXPECT_FALSE(run(options).rows[0].streamed);
}

TEST_F(StreamedSession, WhatCannotBeCutOrDoesNotFitAtAllSaysSo) {
  Options options;
  options.algorithms = {"yax"};
  options.variants = {"team"};
  options.sizes = {{"rows", 5}, {"cols", 3000}};
  device_->memory_cap = 90000; // x takes 24000, and so does each of three rows
  const Results results = run(options);
  const std::string& why = results.rows[0].portable.failure;
  EXPECT_NE(why.find("out of memory: slices of 1 of its rows need 10"), std::string::npos) << why;
  EXPECT_NE(why.find("90.0 kB are there"), std::string::npos) << why;
  EXPECT_EQ(exit_status(results), 3);
}

TEST_F(StreamedSession, GoesOnBehindAFileThatShrank) {
  HostData whole({find_algorithm("yax"), {500, 300, 1}, Type::f64});
  whole.make(DataKind::uniform, 11);
  write_input(whole, 1, path());
  Options options;
  options.algorithms = {"yax", "transpose"};
  options.types = {Type::f64};
  options.variants = {"team"};
  options.models = {"kokkos"};
  options.inputs = {{"yax.a", path()}};
  options.sizes = {{"rows", 500}, {"cols", 300}};
  device_->memory_cap = 300000;
  const std::vector<Case> cases = plan_cases(options, *device_);
  std::filesystem::resize_file(path(), 700000);
  options.stop.reps = 1;
  const Results results =
      run_cases(options, cases, *device_, *device_, Ceilings{1e9, 1e9, 1e9, 1e9, 1e9, 1e-6});
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_TRUE(starts_with(results.rows[0].portable.failure, path() + ": is truncated"))
      << results.rows[0].portable.failure;
  EXPECT_TRUE(results.rows[1].portable.verified()) << results.rows[1].portable.failure;
  EXPECT_EQ(exit_status(results), 3);
}

} // namespace
} // namespace ado::bench
