// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs whose allocations fail in turn. A test program replaces the system's functions by its own,
// which call FailingAllocation::is_next() each time.
#pragma once

#include <ado/bench/run/session.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ado::bench {

/// While it lives, the k-th allocation fails, counted from 1; 0: none.
class FailingAllocation {
public:
  explicit FailingAllocation(std::size_t k) {
    count = 0;
    to_fail = k;
  }
  ~FailingAllocation() { to_fail = 0; }
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Counts an allocation. Returns whether it must fail.
  static bool is_next() { return ++count == to_fail; }
  /// Allocations since the last object was created.
  static std::size_t counted() { return count; }

private:
  static inline std::size_t to_fail = 0, count = 0;
};

/// A case on a device, run again and again.
class FailingAllocations : public testing::Test {
protected:
  /// Plans what runs; the options must be set.
  void plan(std::unique_ptr<Device> device) {
    device_ = std::move(device);
    options_.stop.reps = 1;
    cases_ = plan_cases(options_, *device_);
  }

  /// Each allocation fails in turn: the failure says so and gives the requested size, the next run
  /// is right, and `bytes_in_use()` grows by less than `leak`.
  void fail_each(std::size_t at_least, const std::function<std::size_t()>& bytes_in_use,
                 std::size_t leak) {
    expect_all_verified(run(0));
    const std::size_t before = bytes_in_use();
    expect_all_verified(run(0));
    ASSERT_LT(bytes_in_use(), before + leak) << "a run without a failure leaves memory behind";
    const std::size_t allocations = FailingAllocation::counted();
    ASSERT_GE(allocations, at_least);
    for (std::size_t k = 1; k <= allocations; ++k) {
      SCOPED_TRACE("allocation " + std::to_string(k) + " of " + std::to_string(allocations));
      expect_out_of_memory(run(k));
      expect_all_verified(run(0));
      EXPECT_LT(bytes_in_use(), before + leak) << "memory is left behind";
    }
  }

  Options options_;

private:
  Results run(std::size_t k) {
    const FailingAllocation fault(k);
    return run_cases(options_, cases_, *device_, *device_, Ceilings{1, 1, 1, 1, 1, 1});
  }

  std::vector<const Measurement*> measured(const Results& results) const {
    EXPECT_EQ(results.rows.size(), 1u);
    const RowResult& row = results.rows.at(0);
    std::vector<const Measurement*> all{&row.portable, &row.native};
    if (options_.reference) all.push_back(&row.reference);
    return all;
  }

  void expect_all_verified(const Results& results) const {
    for (const Measurement* m : measured(results))
      EXPECT_TRUE(m->verified()) << m->failure;
  }

  void expect_out_of_memory(const Results& results) const {
    std::string failures;
    for (const Measurement* m : measured(results)) {
      EXPECT_TRUE(m->failure.empty() || m->seconds.empty());
      failures += m->failure + "\n";
    }
    EXPECT_NE(failures.find("out of memory: "), std::string::npos) << failures;
    // Kokkos' own messages, for a launch, say " B (label=".
    EXPECT_TRUE(failures.find(" bytes") != std::string::npos ||
                failures.find(" B (label=") != std::string::npos)
        << failures;
    EXPECT_NE(exit_status(results), 0);
  }

  std::unique_ptr<Device> device_;
  std::vector<Case> cases_;
};

} // namespace ado::bench
