// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each of ado's own host allocations fails in turn: the error says which and how large, nothing is
// leaked, and the next run is as if nothing had happened.
#include "failing_allocations.hpp"
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/measure/ceilings.hpp>
#include <ado/registry/registry.hpp>

#include <malloc.h>

#include <cerrno>
#include <cstdlib>
#include <string>

// Replaces the C library's function in this program. Kokkos' allocations, with smaller alignments,
// do not count.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (alignment >= 256 && ado::bench::FailingAllocation::is_next()) {
    errno = ENOMEM;
    return nullptr;
  }
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

namespace ado::bench {
namespace {

constexpr std::size_t rows = 700, columns = 1100; // 6 MB in f64

/// An algorithm, and the device memory that it may take: 0 means all.
struct Fault {
  const char* algorithm;
  std::size_t cap;
};

std::size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class Faults : public FailingAllocations, public testing::WithParamInterface<Fault> {};

TEST_P(Faults, EachAllocationFailsInTurn) {
  auto device = open_device({default_backend(), 0});
  if (!device->on_host) GTEST_SKIP() << "arrays are " << device->backend << "'s";
  if (GetParam().cap > 0) device->memory_cap = GetParam().cap;
  options_.algorithms = {GetParam().algorithm};
  options_.variants = {"team"};
  options_.sizes = {{"rows", rows}, {"cols", columns}};
  options_.types = {Type::f64};
  options_.reference = ReferenceSpec{"serial", "serial", {}};
  plan(std::move(device));
  constexpr std::size_t inputs_and_outputs = 5; // those of both variants and of the reference
  constexpr std::size_t an_array = rows * columns * sizeof(double);
  fail_each(inputs_and_outputs, bytes_in_use, an_array);
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
  const FailingAllocation fault(1);
  try {
    const HostData data({find_algorithm("yax"), {3, 5, 1}, Type::f64});
    ADD_FAILURE() << data.input_count() << " inputs have memory";
  } catch (const OutOfMemory& error) {
    EXPECT_NE(std::string(error.what()).find("out of memory: y needs "), std::string::npos)
        << error.what();
    EXPECT_GE(error.bytes(), 3 * sizeof(double));
  }
}

TEST(Allocations, OfCeilingsFailInTurn) {
  const auto device = open_device({default_backend(), 0});
  if (!device->on_host) GTEST_SKIP() << "its memory is not the host's";
  for (std::size_t k = 1; k <= 3; ++k) {
    const FailingAllocation fault(k);
    EXPECT_THROW(measure_ceilings(*device), OutOfMemory) << "allocation " << k;
  }
}

} // namespace
} // namespace ado::bench
