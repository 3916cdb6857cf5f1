// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each of ado's own allocations on the host fails in turn: the error says which and how large, nothing
// is leaked, and the next run is as if nothing had been.
#include "variant_test.hpp"
#include <ado/harness/ceilings.hpp>
#include <ado/harness/session.hpp>

#include <malloc.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace {

/// The aligned allocation that fails next, counted from 1; 0: none. Those of Kokkos, with smaller
/// alignments, do not count.
std::size_t failing = 0, counted = 0;

} // namespace

// Takes the place of the C library's function in this program.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (alignment >= 256 && ++counted == failing) {
    errno = ENOMEM;
    return nullptr;
  }
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

namespace ado {
namespace {

constexpr std::size_t rows = 700, columns = 1100; // 6 MB in f64: one that leaks shows

/// An algorithm, and what it may take of the device: 0 stands for all.
struct Fault {
  const char* algorithm;
  std::size_t cap;
};

class Faults : public testing::TestWithParam<Fault> {
protected:
  Faults() : device_(open_device({default_backend(), 0})) {}

  void SetUp() override {
    if (!device_->on_host) GTEST_SKIP() << "arrays are " << device_->backend << "'s";
    if (GetParam().cap > 0) device_->memory_cap = GetParam().cap;
    options_.algorithms = {GetParam().algorithm};
    options_.variants = {"team"};
    options_.sizes = {{"rows", rows}, {"cols", columns}};
    options_.types = {Type::f64};
    options_.reps = 1;
    options_.reference = ReferenceSpec{"serial", "serial", {}};
    cases_ = plan_cases(options_, *device_);
  }

  /// The k-th allocation fails; 0: none.
  Results run(std::size_t k) {
    counted = 0;
    failing = k;
    Results results = run_cases(options_, cases_, *device_, *device_, Ceilings{1, 1, 1, 1, 1, 1});
    failing = 0;
    return results;
  }

  static std::size_t bytes_in_use() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  }

  std::unique_ptr<Device> device_;
  Options options_;
  std::vector<Case> cases_;
};

void expect_all_verified(const Results& results) {
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_TRUE(results.rows[0].portable.verified()) << results.rows[0].portable.failure;
  EXPECT_TRUE(results.rows[0].native.verified()) << results.rows[0].native.failure;
  EXPECT_TRUE(results.rows[0].reference.verified()) << results.rows[0].reference.failure;
}

TEST_P(Faults, EachAllocationFailsInTurn) {
  expect_all_verified(run(0));
  const std::size_t allocations = counted;
  ASSERT_GE(allocations, 5u) << "inputs, outputs of both variants and of the reference";
  const std::size_t before = bytes_in_use();
  for (std::size_t k = 1; k <= allocations; ++k) {
    const Results results = run(k);
    ASSERT_EQ(results.rows.size(), 1u) << "allocation " << k;
    std::string failures;
    for (const Measurement* m :
         {&results.rows[0].portable, &results.rows[0].native, &results.rows[0].reference}) {
      EXPECT_TRUE(m->failure.empty() || m->seconds.empty()) << "allocation " << k;
      failures += m->failure + "\n";
    }
    EXPECT_NE(failures.find("out of memory: "), std::string::npos) << "allocation " << k;
    EXPECT_NE(failures.find(" bytes"), std::string::npos) << failures;
    EXPECT_NE(exit_status(results), 0) << "allocation " << k;
    expect_all_verified(run(0));
  }
  EXPECT_LT(bytes_in_use(), before + rows * columns * sizeof(double)) << "an array is left behind";
}
constexpr std::size_t a_few_slices = 3 << 20;
INSTANTIATE_TEST_SUITE_P(, Faults,
                         testing::Values(Fault{"transpose", 0}, Fault{"yax", 0},
                                         Fault{"transpose", a_few_slices},
                                         Fault{"yax", a_few_slices}),
                         [](const auto& instance) {
                           return std::string(instance.param.algorithm) +
                                  (instance.param.cap > 0 ? "_streamed" : "");
                         });

TEST(Allocations, SayWhatTheyAreForAndHowLarge) {
  counted = 0;
  failing = 1;
  try {
    const HostData data({find_algorithm("yax"), {3, 5, 1}, Type::f64});
    ADD_FAILURE() << data.input_count() << " inputs have memory";
  } catch (const OutOfMemory& error) {
    EXPECT_NE(std::string(error.what()).find("out of memory: y needs "), std::string::npos)
        << error.what();
    EXPECT_GE(error.bytes(), 3 * sizeof(double));
  }
  failing = 0;
}

TEST(Allocations, OfCeilingsFailInTurn) {
  const auto device = open_device({default_backend(), 0});
  if (!device->on_host) GTEST_SKIP() << "its memory is not the host's";
  for (std::size_t k = 1; k <= 3; ++k) {
    counted = 0;
    failing = k;
    EXPECT_THROW(measure_ceilings(*device), OutOfMemory) << "allocation " << k;
    failing = 0;
  }
}

} // namespace
} // namespace ado
