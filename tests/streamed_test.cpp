// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays larger than a device's memory: every variant on slices gives what it gives on the whole, or the
// row says why it does not.
#include "npy_files.hpp"
#include "variant_test.hpp"
#include <ado/harness/measure.hpp>
#include <ado/harness/plan.hpp>
#include <ado/harness/session.hpp>
#include <ado/harness/streamed_bench.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>

namespace ado {
namespace {

constexpr std::size_t plenty = std::size_t{1} << 40;

/// How a problem is cut; a period of 0 stands for data that does not repeat.
struct Cut {
  std::size_t length, period = 0;
};

StreamLimits limits_of(const Problem& problem, const Cut& cut) {
  const std::size_t bytes = slice_bytes({.problem = problem, .length = cut.length});
  return {plenty, cut.period == 0 ? plenty : cut.period * bytes, bytes};
}

/// All inputs in host memory, as the slices have them.
HostData joined(const StreamedData& data) {
  HostData whole(data.slices().problem);
  const Slices& slices = data.slices();
  for (std::size_t k = 0; k < whole.input_count(); ++k) {
    auto* to = whole.input(k).as<std::byte>();
    if (!slices.is_cut(k)) {
      const std::size_t bytes = element_count(whole.specs()[k]) * size_of(slices.problem.type);
      if (bytes > 0) std::memcpy(to, data.in_memory().input(k).data, bytes);
      continue;
    }
    for (std::size_t slice = 0; slice < slices.count; ++slice)
      if (const std::size_t step = data.step_bytes(k); step > 0)
        std::memcpy(to + slices.first(slice) * step, data.slice_data(k, slice),
                    slices.length_of(slice) * step);
  }
  return whole;
}

std::string cut_text(const Problem& problem, const Cut& cut) {
  return text_of(problem.shape, {}) + ", slices of " + std::to_string(cut.length) + ", period " +
         std::to_string(cut.period);
}

/// Runs a variant on slices and compares with the oracle of the whole, which knows of no slices.
void expect_right(Device& device, const Problem& problem, const Variant& variant, const Cut& cut,
                  DataKind kind = DataKind::uniform) {
  SCOPED_TRACE(cut_text(problem, cut));
  StreamedData data(device, problem, limits_of(problem, cut));
  data.load(kind, 7);
  const Slices& slices = data.slices();
  EXPECT_EQ(slices.count, (slices.total() + slices.length - 1) / slices.length);
  EXPECT_EQ(slices.repeats(), cut.period != 0);
  StreamedBench bench(device, data, 1);
  const bool exact = kind == DataKind::ones_twos &&
                     problem.algorithm->ones_twos_exact(problem.shape, problem.type);
  const Measurement m = measure(bench, problem, {&variant}, {.reps = 2}, exact)[0];
  ASSERT_EQ(m.failure, "");
  EXPECT_TRUE(m.verified());
  EXPECT_EQ(m.seconds.size(), 2u);
  const HostData whole = joined(data);
  const Check check =
      whole.oracle().check(bench.host_output(0), exact ? 0 : bench.rounding_steps(variant, {}));
  EXPECT_TRUE(check.ok) << check.first_wrong;
}

bool can_be_cut(const VariantCase& c) {
  return find_algorithm(c.variant->algorithm)->slicing.has_value();
}

class Streamed : public VariantTest {
protected:
  std::size_t total(const Shape& shape) const { return shape[0]; } // each cuts its first size
};

TEST_P(Streamed, IsRightInSlicesOfAnyLength) {
  const Shape shape = algorithm().sizes.size() == 1 ? Shape{1037, 1, 1} : Shape{13, 33, 65};
  Problem small = problem(shape);
  for (std::size_t k = algorithm().sizes.size(); k < 3; ++k)
    small.shape[k] = 1;
  for (const std::size_t length : {std::size_t{1}, std::size_t{4}, std::size_t{13}})
    expect_right(device(), small, variant(), {length * total(shape) / 13});
  expect_right(device(), small, variant(), {4 * total(shape) / 13}, DataKind::ones_twos);
}

TEST_P(Streamed, IsRightWhereDataRepeats) {
  Problem long_one = problem(algorithm().sizes.size() == 1 ? Shape{1000, 1, 1} : Shape{19, 7, 31});
  for (std::size_t k = algorithm().sizes.size(); k < 3; ++k)
    long_one.shape[k] = 1;
  const std::size_t one = algorithm().sizes.size() == 1 ? 50 : 1;
  for (const Cut& cut : {Cut{one, 4}, Cut{2 * one, 5}}) // the last slice is shorter, or not
    expect_right(device(), long_one, variant(), cut);
}

TEST_P(Streamed, IsRightOnEdgeShapes) {
  for (const Shape& shape : algorithm().edge_shapes()) {
    const Problem edge = problem(shape);
    if (working_set(edge) > 5e5 * double(size_of(type()))) continue;
    expect_right(device(), edge, variant(), {total(shape) / 3 + 1});
  }
}

ADO_FOR_VARIANTS(Streamed, can_be_cut);

/// A right variant that something happens around, at each call for one.
class Around {
public:
  using Action = std::function<void(const Call&, int)>;

  /// `instead`: runs in place of the variant, and may call right().
  Around(const Variant& right, Action instead) : variant(right) {
    inside = &right;
    action = std::move(instead);
    calls = 0;
    variant.run = [](const Call& call) { action(call, calls++); };
  }
  static void right(const Call& call) { inside->run(call); }

  Variant variant;

private:
  inline static const Variant* inside = nullptr;
  inline static Action action;
  inline static int calls = 0;
};

/// On a host, where a planted error can reach all memory.
class StreamedErrors : public npy_files::NpyFixture {
protected:
  void SetUp() override {
    npy_files::NpyFixture::SetUp();
    device_ = open_device({backend_names().back(), 0});
    if (!device_->on_host) GTEST_SKIP() << "memory is " << device_->backend << "'s";
  }
  const Variant& right(const char* algorithm) const {
    return *find_variant(algorithm, "kokkos", "team", device_->backend);
  }
  /// What measuring says of five slices of 2 and one of 1, where `instead` runs in place of the variant.
  std::string failure_of(const char* algorithm, const Around::Action& instead) {
    const Problem problem{find_algorithm(algorithm), {11, 17, 5}, Type::f32};
    StreamedData data(*device_, problem, limits_of(problem, {2}));
    data.load(DataKind::uniform, 3);
    StreamedBench bench(*device_, data, 1);
    const Around around(right(algorithm), instead);
    const Measurement m = measure(bench, problem, {&around.variant}, {.reps = 1}, false)[0];
    EXPECT_TRUE(m.ran || m.failure.empty()) << m.failure;
    return m.failure;
  }
  void write_input(const HostData& data, std::size_t k, const std::string& file) const {
    const ArraySpec& spec = data.specs()[k];
    write_npy(file, data.problem().type, spec.rank, spec.extent, data.input(k).data);
  }
  /// The same array in Fortran order.
  void write_fortran(const HostData& data, std::size_t k, const std::string& file) const {
    const ArraySpec& spec = data.specs()[k];
    const std::string row_major(data.input(k).as<char>(), element_count(spec) * 4);
    std::string shape = "(";
    for (int d = 0; d < spec.rank; ++d)
      shape += std::to_string(spec.extent[static_cast<std::size_t>(d)]) + ", ";
    std::ofstream(file, std::ios::binary)
        << npy_files::npy(npy_files::dictionary("<f4", true, shape + ")"),
                          npy_files::fortran(row_major, spec.extent, 4));
  }

  std::unique_ptr<Device> device_;
};

bool starts_with(const std::string& text, const std::string& words) {
  return text.rfind(words, 0) == 0;
}

TEST_F(StreamedErrors, WithoutOneThereIsNoFailure) {
  for (const char* algorithm : {"average", "average_mv", "transpose", "yax", "vector_add"})
    EXPECT_EQ(failure_of(algorithm, [](const Call& call, int) { Around::right(call); }), "");
}

TEST_F(StreamedErrors, ASliceThatIsLeftOutIsFound) {
  for (const char* algorithm : {"average", "average_mv", "transpose", "yax"})
    for (const int left_out : {0, 3, 5}) { // the poison of a slot, a slice of before, the last
      const std::string failure = failure_of(algorithm, [&](const Call& call, int k) {
        if (k % 6 != left_out) Around::right(call);
      });
      EXPECT_TRUE(starts_with(failure, "WRONG")) << algorithm << ": " << failure;
    }
}

TEST_F(StreamedErrors, AWrongSliceIsNamed) {
  const std::string failure = failure_of("average_mv", [](const Call& call, int k) {
    Around::right(call);
    if (k == 4) *call.arrays[2].as<float>() += 1;
  });
  EXPECT_NE(failure.find("in slice 4, from 8 of the sets on: [0][0] is "), std::string::npos)
      << failure;
}

TEST_F(StreamedErrors, AWrongPartOfASumIsFoundHoweverSmall) {
  const std::string failure = failure_of("yax", [](const Call& call, int k) {
    Around::right(call);
    if (k == 2) *call.arrays[3].as<float>() *= 1.001F; // the sum's bound is wider
  });
  EXPECT_NE(failure.find("in slice 2"), std::string::npos) << failure;
}

TEST_F(StreamedErrors, WhatIsWrittenBesideASlotIsFound) {
  for (const std::size_t array : {0u, 1u, 2u})
    for (const bool before : {false, true}) {
      const std::string failure = failure_of("average_mv", [&](const Call& call, int k) {
        Around::right(call);
        const Array& target = call.arrays[array];
        const std::size_t count = target.extent[0] * target.extent[1] * target.extent[2];
        auto* const data = target.as<float>();
        if (k == 1) *(before ? data - 1 : data + count) = 0;
      });
      EXPECT_NE(failure.find(" on the device was overwritten"), std::string::npos) << failure;
    }
}

TEST_F(StreamedErrors, AnInputChangedOnTheDeviceIsFound) {
  for (const std::size_t array : {0u, 1u}) {
    const std::string failure = failure_of("average_mv", [&](const Call& call, int) {
      Around::right(call);
      call.arrays[array].as<float>()[3] = 5;
    });
    EXPECT_TRUE(starts_with(failure, "WRONG")) << failure;
  }
  // After the last use of it only the input itself tells.
  EXPECT_EQ(failure_of("average_mv",
                       [](const Call& call, int k) {
                         Around::right(call);
                         if (k == 5) call.arrays[1].as<float>()[3] = 5;
                       }),
            "WRONG: the input a on the device was changed");
}

TEST_F(StreamedErrors, WritingBehindASlotsWorkspaceIsFound) {
  const Problem problem{find_algorithm("yax"), {11, 17, 1}, Type::f32};
  StreamedData data(*device_, problem, limits_of(problem, {2}));
  data.load(DataKind::uniform, 3);
  StreamedBench bench(*device_, data, 1);
  Around around(right("yax"), [](const Call& call, int k) {
    if (k == 4) static_cast<char*>(call.workspace)[1000] = 1;
    std::byte workspace[1 << 12];
    Call with_memory = call;
    with_memory.workspace = workspace;
    Around::right(with_memory);
  });
  around.variant.workspace_bytes = [](const Shape&, Type) { return std::size_t{1000}; };
  const Measurement m = measure(bench, problem, {&around.variant}, {.reps = 1}, false)[0];
  EXPECT_EQ(m.failure, "WRONG: memory behind the workspace was overwritten");
}

TEST_F(StreamedErrors, EachSliceGetsItsOwnPreparation) {
  const Problem problem{find_algorithm("yax"), {11, 17, 1}, Type::f64};
  StreamedData data(*device_, problem, limits_of(problem, {2}));
  data.load(DataKind::uniform, 3);
  StreamedBench bench(*device_, data, 1);
  const Variant* left = find_variant("yax", "kokkos", "row_per_thread_left", device_->backend);
  ASSERT_NE(left, nullptr);
  ASSERT_NE(left->prepare, nullptr);
  EXPECT_EQ(measure(bench, problem, {left}, {.reps = 1}, false)[0].failure, "");
}

/// With sums as large as these the slices' additions round more than what is done in a slice.
TEST_F(StreamedErrors, ASumOfManySlicesMayRoundOnceForEach) {
  const Problem problem{find_algorithm("yax"), {4000, 1, 1}, Type::f32};
  StreamedData data(*device_, problem, limits_of(problem, {1}));
  data.load(DataKind::uniform, 3);
  for (const std::size_t k : {0u, 1u}) // y and a
    for (std::size_t i = 0; i < 4000; ++i) {
      float& element = data.in_memory().input(k).as<float>()[i];
      element = 1 + 0.1F * element;
    }
  StreamedBench bench(*device_, data, 1);
  const Variant& variant = right("yax");
  EXPECT_EQ(measure(bench, problem, {&variant}, {.reps = 1}, false)[0].failure, "");
  EXPECT_EQ(bench.rounding_steps(variant, {}),
            3999 + variant.rounding_steps({1, 1, 1}, Type::f32, {}));
  bench.prepare(variant, 0, 0);
  bench.run(variant, 0);
  EXPECT_FALSE(bench.verify(0, 3999 + 1).ok) << "parts have the bound of a slice";
}

TEST_F(StreamedErrors, StagesAreThoseOfEachSlice) {
  const Problem problem{find_algorithm("yax"), {11, 17, 1}, Type::f32};
  StreamedData data(*device_, problem, limits_of(problem, {2}));
  data.load(DataKind::uniform, 3);
  StreamedBench bench(*device_, data, 1);
  auto measured = measure(bench, problem, {&right("yax")}, {.reps = 1}, false);
  find_stages(bench, measured);
  const auto count = [&](Stage stage) {
    const auto& spans = measured[0].stages.spans;
    return std::count_if(spans.begin(), spans.end(),
                         [&](const StageSpan& span) { return span.stage == stage; });
  };
  EXPECT_EQ(count(Stage::copy_in), 1 + 6) << "x, and six slices";
  EXPECT_EQ(count(Stage::compute), 6);
  EXPECT_EQ(count(Stage::copy_out), 6);
  EXPECT_EQ(count(Stage::store), 1) << "the sum";
  EXPECT_EQ(count(Stage::prepare), 0) << "nothing is read";
}

using StreamedFiles = StreamedErrors;

/// What files hold, in slices, must be what it is in memory.
void expect_files_right(Device& device, const HostData& whole,
                        const std::map<std::string, std::string>& files, const Variant& variant) {
  const Problem& problem = whole.problem();
  StreamedData data(device, problem, limits_of(problem, {3}), files);
  data.load(DataKind::uniform, 11);
  StreamedBench bench(device, data, 1);
  auto measured = measure(bench, problem, {&variant}, {.reps = 2}, false);
  ASSERT_EQ(measured[0].failure, "");
  const Check check = whole.oracle().check(bench.host_output(0), bench.rounding_steps(variant, {}));
  EXPECT_TRUE(check.ok) << check.first_wrong;
  find_stages(bench, measured);
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
      const Variant& team = *find_variant(algorithm, "kokkos", "team", backend);
      expect_files_right(*device, whole, files, team);
      expect_files_right(*device, whole, fortran, team);
      // One from a file, the others made of the same seed.
      const std::string last(whole.specs()[whole.input_count() - 1].name);
      expect_files_right(*device, whole, {{last, files[last]}}, team);
    }
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

/// A stream from a file that `change` is made to at its third slice, of 30.
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
  return measure(bench, problem, {&around.variant}, {.reps = 1}, false)[0];
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

/// A session on a device with a cap, as the mini-app runs it.
class StreamedSession : public StreamedErrors {
protected:
  Results run(Options options) {
    options.reps = 1;
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
  device_->memory_cap = 90000; // x takes 24000, and each of three rows too
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
  options.reps = 1;
  const Results results =
      run_cases(options, cases, *device_, *device_, Ceilings{1e9, 1e9, 1e9, 1e9, 1e9, 1e-6});
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_TRUE(starts_with(results.rows[0].portable.failure, path() + ": is truncated"))
      << results.rows[0].portable.failure;
  EXPECT_TRUE(results.rows[1].portable.verified()) << results.rows[1].portable.failure;
  EXPECT_EQ(exit_status(results), 3);
}

} // namespace
} // namespace ado
