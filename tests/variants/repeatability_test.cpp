// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two runs give the same bits; so do runs on different numbers of threads, if the order of
// summation does not depend on that number.
#include "variant_test.hpp"

#include <cstring>
#include <vector>

namespace ado::bench {
namespace {

/// Whether two runs may differ in their last bits. Only these variants may: they add with atomics,
/// in order of arrival, and that is their lesson.
bool adds_as_they_come(const Variant& variant) {
  return variant.algorithm == "yax" &&
         (variant.name == "row_per_vector_atomic" || variant.name == "row_per_vector_shared");
}

/// Whether the order of summation changes with the number of threads: Kokkos' own range reduction
/// gives each thread one piece, and a library's order is unknown.
bool depends_on_threads(const Variant& variant) {
  return !order_is_ours(variant) || adds_as_they_come(variant) ||
         (variant.algorithm == "yax" &&
          (variant.name == "plain" || variant.name.starts_with("row_per_thread")));
}

/// The bits of an output without padding.
std::vector<char> bits_of(const Array& output, Type type) {
  const std::size_t bytes = output.extent[0] * output.extent[1] * size_of(type);
  std::vector<char> bits(bytes);
  if (bytes != 0) std::memcpy(bits.data(), output.data, bytes);
  return bits;
}

class Repeatability : public VariantTest {
protected:
  /// The bits of a verified run's output.
  std::vector<char> run(Device& on, const HostData& data) {
    Workbench bench(on, data, 1);
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    bench.run(variant(), 0);
    const Shape& shape = data.problem().shape;
    const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
    EXPECT_TRUE(check.ok) << on.description << ": " << check.first_wrong;
    return bits_of(bench.host_output(0), type());
  }
};

/// What a call leaves in the workspace is what the next one needs.
TEST_P(Repeatability, CallsInARowArePreparedOnce) {
  for (const Shape& shape : edge_shapes()) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 11);
    Workbench bench(device(), data, 2);
    bench.reserve_workspace(variant());
    for (unsigned slot : {0u, 1u})
      bench.prepare(variant(), slot, slot);
    for (unsigned slot : {0u, 1u})
      bench.run(variant(), slot);
    for (unsigned slot : {0u, 1u}) {
      const Check check = bench.verify(slot, variant().rounding_steps(shape, type(), {}));
      EXPECT_TRUE(check.ok) << "call " << slot << ": " << check.first_wrong;
    }
  }
}

TEST_P(Repeatability, SameBitsEveryRun) {
  for (const Shape& shape : edge_shapes()) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 11);
    const std::vector<char> first = run(device(), data);
    for (int repetition = 0; repetition < 3; ++repetition) {
      const std::vector<char> again = run(device(), data);
      if (adds_as_they_come(variant())) continue;
      ASSERT_EQ(again, first);
    }
  }
}

TEST_P(Repeatability, SameBitsOnAnyNumberOfThreads) {
  if (!device().on_host) GTEST_SKIP() << "a GPU has no number of threads to choose";
  std::vector<std::unique_ptr<Device>> devices;
  if (device().backend == "openmp") devices.push_back(open_device_of(variant(), 1));
  if (variant().model == Model::openmp)
    for (const int threads : {1, 2, 3, 7}) { // also more than there are cores
      devices.push_back(open_device_of(variant()));
      devices.back()->queue.threads = threads;
    }
  for (const Shape& shape : edge_shapes()) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 11);
    const std::vector<char> all_threads = run(device(), data);
    for (const auto& other : devices) {
      const std::vector<char> bits = run(*other, data);
      if (depends_on_threads(variant())) continue;
      ASSERT_EQ(bits, all_threads) << "on " << other->queue.threads << " threads";
    }
  }
}

ADO_FOR_VARIANTS(Repeatability);

} // namespace
} // namespace ado::bench
