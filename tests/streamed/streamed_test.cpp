// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays larger than a device's memory: every variant gives the same on slices as on the whole, and
// an error in one slice is found.
#include "streamed.hpp"
#include "variant_test.hpp"

#include <algorithm>
#include <cstring>

namespace ado::bench {
namespace {

/// All inputs in host memory, as the slices hold them.
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
    const std::size_t element = size_of(slices.problem.type), step = data.step_bytes(k);
    if (step == 0) continue;
    for (std::size_t slice = 0; slice < slices.count; ++slice)
      for (std::size_t row = 0; row < slices.length_of(slice); ++row)
        std::memcpy(to + (slices.first(slice) + row) * step + slices.first_across(slice) * element,
                    static_cast<const std::byte*>(data.slice_data(k, slice)) + row * step,
                    slices.across() == 1 ? step : slices.width_of(slice) * element);
  }
  return whole;
}

std::string cut_text(const Problem& problem, const Cut& cut) {
  return text_of(problem.shape, {}) + ", slices of " + std::to_string(cut.length) + ", period " +
         std::to_string(cut.period) + (cut.blocks ? ", blocks" : "");
}

/// Runs a variant on slices and compares with the oracle of the whole, which knows no slices.
void expect_right(Device& device, const Problem& problem, const Variant& variant, const Cut& cut,
                  DataKind kind = DataKind::uniform) {
  SCOPED_TRACE(cut_text(problem, cut));
  StreamedData data(device, problem, limits_of(problem, cut));
  data.load(kind, 7);
  const Slices& slices = data.slices();
  EXPECT_EQ(slices.count, (slices.total() + slices.length - 1) / slices.length * slices.across());
  EXPECT_EQ(slices.across() > 1, cut.blocks);
  EXPECT_EQ(slices.repeats(), cut.period != 0);
  StreamedBench bench(device, data, 1);
  const Measurement m = measure(bench, problem, {&variant}, {.reps = 2})[0];
  ASSERT_EQ(m.failure, "");
  EXPECT_TRUE(m.verified());
  EXPECT_EQ(m.seconds.size(), 2u);
  const HostData whole = joined(data);
  const Check check = whole.oracle().check(bench.host_output(0), bench.rounding_steps(variant, {}));
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
  for (const Shape& shape : edge_shapes()) {
    const Problem edge = problem(shape);
    if (working_set(edge) > 5e5 * double(size_of(type()))) continue;
    expect_right(device(), edge, variant(), {total(shape) / 3 + 1});
  }
}

ADO_FOR_VARIANTS(Streamed, can_be_cut);

bool can_be_cut_across(const VariantCase& c) {
  return can_be_cut(c) && find_algorithm(c.variant->algorithm)->slicing->across != Slicing::whole;
}

class StreamedBlocks : public VariantTest {};

TEST_P(StreamedBlocks, AreRightWhateverTheirShape) {
  // Three by four; as long as the matrix; half as wide; larger than a tile.
  expect_right(device(), problem({37, 53, 1}), variant(), {4, 0, true});
  expect_right(device(), problem({5, 700, 1}), variant(), {1, 0, true});
  expect_right(device(), problem({50, 8, 1}), variant(), {3, 0, true});
  expect_right(device(), problem({300, 401, 1}), variant(), {50, 0, true});
  expect_right(device(), problem({37, 53, 1}), variant(), {4, 0, true}, DataKind::ones_twos);
}

TEST_P(StreamedBlocks, AreRightWhereDataRepeats) {
  expect_right(device(), problem({43, 53, 1}), variant(), {1, 4, true});
  expect_right(device(), problem({43, 53, 1}), variant(), {2, 9, true});
}

ADO_FOR_VARIANTS(StreamedBlocks, can_be_cut_across);

TEST_F(StreamedErrors, WithoutOneThereIsNoFailure) {
  for (const char* algorithm : {"average", "average_mv", "transpose", "yax", "vector_add"})
    EXPECT_EQ(failure_of(algorithm, [](const Call& call, int) { Around::right(call); }), "");
}

TEST_F(StreamedErrors, ASliceThatIsLeftOutIsFound) {
  for (const char* algorithm : {"average", "average_mv", "transpose", "yax"})
    for (const int left_out : {0, 3, 5}) { // the poison of a slot, an earlier slice, the last
      const std::string failure = failure_of(algorithm, [&](const Call& call, int k) {
        if (k % 6 != left_out) Around::right(call);
      });
      EXPECT_TRUE(starts_with(failure, "WRONG")) << algorithm << ": " << failure;
    }
}

/// What the previous run left there is right.
TEST_F(StreamedErrors, ASliceThatIsLeftOutInTheSecondRunIsFound) {
  for (const char* algorithm : {"average", "average_mv", "transpose", "yax"})
    for (int left_out = 0; left_out < 6; ++left_out) {
      const std::string failure = failure_of(algorithm, [&](const Call& call, int k) {
        if (k < 6 || k % 6 != left_out) Around::right(call);
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

TEST_F(StreamedErrors, ABlockThatIsLeftOutIsFound) {
  EXPECT_EQ(failure_in_blocks([](const Call& call, int) { Around::right(call); }), "");
  for (const int left_out : {0, 2, 6, 8}) {
    const std::string failure = failure_in_blocks([&](const Call& call, int k) {
      if (k % 9 != left_out) Around::right(call);
    });
    EXPECT_TRUE(starts_with(failure, "WRONG")) << left_out << ": " << failure;
  }
}

TEST_F(StreamedErrors, AWrongBlockIsNamed) {
  const std::string failure = failure_in_blocks([](const Call& call, int k) {
    Around::right(call);
    if (k == 5) call.arrays[1].as<float>()[3 * 4 + 1] += 1;
  });
  EXPECT_NE(failure.find("in slice 5, from 4 of the rows and 12 of the cols on: b[3][1] differs"),
            std::string::npos)
      << failure;
}

TEST_F(StreamedErrors, WhatIsWrittenIntoOrBesideABlockIsFound) {
  for (const int row : {0, 2}) { // of the last one, after its last use
    const std::string failure = failure_in_blocks([&](const Call& call, int k) {
      Around::right(call);
      if (k == 8) call.arrays[0].as<float>()[row * 5 + 1] = 5;
    });
    EXPECT_EQ(failure, "WRONG: the input a on the device was changed");
  }
  for (const std::size_t array : {0u, 1u}) {
    const std::string failure = failure_in_blocks([&](const Call& call, int k) {
      Around::right(call);
      if (k == 0) call.arrays[array].as<float>()[4 * 6] = 0;
    });
    EXPECT_NE(failure.find(" on the device was overwritten"), std::string::npos) << failure;
  }
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
  // After its last use only the input itself shows the change.
  EXPECT_EQ(failure_of("average_mv",
                       [](const Call& call, int k) {
                         Around::right(call);
                         if (k == 5) call.arrays[1].as<float>()[3] = 5;
                       }),
            "WRONG: the input a on the device was changed");
}

/// The device's copy is read in pieces of 16 MiB.
TEST_F(StreamedErrors, AnInputChangedFarBehindIsFound) {
  const Problem problem{find_algorithm("yax"), {1800, 5000, 1}, Type::f32};
  for (const bool changed : {false, true}) {
    StreamedData data(*device_, problem, limits_of(problem, {900}));
    data.load(DataKind::uniform, 3);
    StreamedBench bench(*device_, data, 1);
    const Around around(right("yax"), [&](const Call& call, int k) {
      Around::right(call);
      if (changed && k == 1) call.arrays[1].as<float>()[890 * 5000] += 1;
    });
    const Measurement m = measure(bench, problem, {&around.variant}, {.reps = 1})[0];
    EXPECT_EQ(m.failure, changed ? "WRONG: the input a on the device was changed" : "");
  }
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
  const Measurement m = measure(bench, problem, {&around.variant}, {.reps = 1})[0];
  EXPECT_EQ(m.failure, "WRONG: memory behind the workspace was overwritten");
}

TEST_F(StreamedErrors, PartsThatAreWrongAreFoundThoughTheirSumIsRight) {
  const Problem problem{find_algorithm("yax"), {11, 17, 1}, Type::f32};
  StreamedData data(*device_, problem, limits_of(problem, {2}));
  data.load(DataKind::ones_twos, 3);
  StreamedBench bench(*device_, data, 1);
  ASSERT_EQ(data.slices().count, 6u);
  const Around around(right("yax"), [](const Call& call, int k) {
    Around::right(call);
    if (k == 12 || k == 13) // the first two slices of the second timed run
      call.arrays[3].as<float>()[0] += k == 12 ? 1 : -1;
  });
  const Measurement m = measure(bench, problem, {&around.variant}, {.reps = 3})[0];
  EXPECT_EQ(m.failure.rfind("WRONG in timed run 2: in slice 0", 0), 0u) << m.failure;
}

TEST_F(StreamedErrors, EachSliceGetsItsOwnPreparation) {
  const Problem problem{find_algorithm("yax"), {11, 17, 1}, Type::f64};
  StreamedData data(*device_, problem, limits_of(problem, {2}));
  data.load(DataKind::uniform, 3);
  StreamedBench bench(*device_, data, 1);
  const Variant* left = find_variant("yax", "kokkos", "row_per_thread_left", device_->backend);
  ASSERT_NE(left, nullptr);
  ASSERT_NE(left->prepare, nullptr);
  EXPECT_EQ(measure(bench, problem, {left}, {.reps = 1})[0].failure, "");
}

/// With sums this large, adding the slices rounds more than the work within a slice.
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
  EXPECT_EQ(measure(bench, problem, {&variant}, {.reps = 1})[0].failure, "");
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
  auto measured = measure(bench, problem, {&right("yax")}, {.reps = 1});
  find_stages(bench, 0, measured[0]);
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

} // namespace
} // namespace ado::bench
