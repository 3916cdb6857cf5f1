// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that run once for every registered variant and each of its types.
#pragma once

#include <ado/bench/data/witness.hpp>
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ado::bench {

/// Whether this project fixes the order of summation; a library chooses its own.
inline bool order_is_ours(const Variant& variant) {
  return variant.model != Model::kokkos_kernels && variant.model != Model::vendor;
}

/// A registered variant at one of its types.
struct VariantCase {
  const Variant* variant;
  Type type;
};

/// All of them, or those that `wanted` accepts.
std::vector<VariantCase> variant_cases(bool (*wanted)(const VariantCase&) = nullptr);
/// "average_mv_kokkos_team_openmp_f32".
std::string name_of(const VariantCase& c);
inline std::string name_of_instance(const testing::TestParamInfo<VariantCase>& info) {
  return name_of(info.param);
}
std::ostream& operator<<(std::ostream& out, const VariantCase& c);

/// The algorithm's edge shapes, with all their lengths and numbers of vectors. Of average_mv
/// `one_block`, and rungs on a host, get few sets instead of thousands.
std::vector<Shape> edge_shapes_of(const Variant& variant);

/// Opens the device that `variant` runs on: its backend's, or a host's for hand-written CPU code.
/// Throws Error if this build or machine has none. `threads`: 0 means all.
std::unique_ptr<Device> open_device_of(const Variant& variant, int threads = 0);

/// "1+0" for padding and offset, "1+0 (sets 5)".
std::string text_of(const Placement& placement);
/// "3x5x32, padding and offset 1+0, output 2+3".
std::string text_of(const Shape& shape, const Placements& placements);

/// A test of one variant; skipped, with the reason, if the variant's device is missing.
class VariantTest : public testing::TestWithParam<VariantCase> {
protected:
  void SetUp() override;

  const Variant& variant() const { return *GetParam().variant; }
  Type type() const { return GetParam().type; }
  const Algorithm& algorithm() const { return *find_algorithm(variant().algorithm); }
  std::vector<Shape> edge_shapes() const { return edge_shapes_of(variant()); }
  Problem problem(const Shape& shape) const { return {&algorithm(), shape, type()}; }
  Device& device() { return *device_; }

  /// Runs the variant with each of the two poisons, so that no element passes by being equal to
  /// one, and verifies the first output.
  void expect_right_twice(Workbench& bench, double steps);

private:
  std::unique_ptr<Device> device_;
};

/// Whether it has separate code for large, short or padded arrays, which edge shapes do not reach.
bool has_many_ways(const VariantCase& c);
/// Whether it is such a transpose, at one type of each size; other types of this size are moved
/// alike.
bool is_transpose_of_a_size(const VariantCase& c);

} // namespace ado::bench

/// Runs the TEST_P tests of `fixture`, a VariantTest, on every variant and type, or on those that
/// the second argument, a function of a VariantCase, accepts.
#define ADO_FOR_VARIANTS(fixture, ...)                                                             \
  INSTANTIATE_TEST_SUITE_P(, fixture, testing::ValuesIn(ado::bench::variant_cases(__VA_ARGS__)),   \
                           ado::bench::name_of_instance)
