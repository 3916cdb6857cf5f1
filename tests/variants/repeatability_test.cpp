// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two runs give the same bits; so do runs on different numbers of threads, if the order of
// summation does not depend on that number.
#include "variant_test.hpp"

#include <cstdint>
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

class Repeatability : public VariantTest {
protected:
  /// The checksum of a run's output. The same one as of a verified run needs no second look.
  std::uint64_t run(Device& on, const HostData& data, bool verify) {
    Workbench bench(on, data, 1);
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    bench.run(variant(), 0);
    if (verify) {
      const Shape& shape = data.problem().shape;
      const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
      EXPECT_TRUE(check.ok) << on.description << ": " << check.first_wrong;
    }
    return bench.output_checksum(0);
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
    const std::uint64_t first = run(device(), data, true);
    const bool may_differ = adds_as_they_come(variant());
    for (int repetition = 0; repetition < 3; ++repetition) {
      const std::uint64_t again = run(device(), data, may_differ);
      if (!may_differ) {
        ASSERT_EQ(again, first);
      }
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
    const std::uint64_t all_threads = run(device(), data, true);
    const bool may_differ = depends_on_threads(variant());
    for (const auto& other : devices) {
      const std::uint64_t bits = run(*other, data, may_differ);
      if (!may_differ) {
        ASSERT_EQ(bits, all_threads) << "on " << other->queue.threads << " threads";
      }
    }
  }
}

ADO_FOR_VARIANTS(Repeatability);

} // namespace
} // namespace ado::bench
