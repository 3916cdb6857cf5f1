// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instrument makes of kernels that are not ours.
#include "variant_test.hpp"
#include <ado/bench/commands/selftest.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace ado::bench {
namespace {

/// The table's cells of one algorithm, by the name of the error.
std::map<std::string, std::string> selftest_of(const std::string& algorithm, int threads) {
  const auto device = open_device_of(variants().front(), threads);
  std::map<std::string, std::string> cells;
  for (const PlantedError& error : planted_errors()) {
    const Planted planted = measure_planted(*device, *find_algorithm(algorithm), error);
    cells[std::string(error.name)] = !planted.unfit.empty() ? planted.unfit
                                     : planted.m.verified() ? "verified"
                                     : planted.m.ran        ? "caught"
                                                            : planted.m.failure;
  }
  std::ostringstream out;
  EXPECT_EQ(selftest(out, *device, {find_algorithm(algorithm)}), 0) << out.str();
  return cells;
}

/// Expects these cells, and "caught" of all other errors.
void expect_selftest(const std::string& algorithm, std::map<std::string, std::string> others) {
  others["none"] = "verified";
  for (const int threads : {1, 2, 3})
    for (const auto& [error, cell] : selftest_of(algorithm, threads)) {
      const auto other = others.find(error);
      EXPECT_EQ(cell, other == others.end() ? "caught" : other->second)
          << algorithm << ", " << error << ", " << threads << " threads";
    }
}

TEST(OwnKernels, ASelftestAsksOnlyForDeclaredTypes) {
  expect_selftest("prefix_sum", {{"nan_lost", "no NaN"}});
}
/// The smallest of 4489 numbers depends on one of them.
TEST(OwnKernels, AnErrorWithoutEffectIsNotMissed) {
  expect_selftest("smallest", {{"tile_edge", "no effect"},
                               {"last_block", "no effect"},
                               {"next_row", "no effect"},
                               {"swapped", "no effect"},
                               {"nan_lost", "no effect"},
                               {"one_element", "no effect"}});
}
/// What a change of the keys makes beyond the bins no kernel gets.
TEST(OwnKernels, IndicesStayInBounds) {
  expect_selftest("histogram", {{"nan_lost", "no NaN"},
                                {"next_row", "no effect"},
                                {"swapped", "no effect"},
                                {"changes_input", "bad input"},
                                {"changes_input_later", "bad input"}});
}
TEST(OwnKernels, RowsShorterThanATile) { expect_selftest("norms", {}); }
TEST(OwnKernels, NoInputs) {
  expect_selftest("mandelbrot", {{"tile_edge", "no input"},
                                 {"last_block", "no input"},
                                 {"next_row", "no input"},
                                 {"swapped", "no input"},
                                 {"nan_lost", "no NaN"},
                                 {"one_element", "no input"},
                                 {"kept", "no input"},
                                 {"changes_input", "no input"},
                                 {"changes_input_later", "no input"}});
}
TEST(OwnKernels, ManyOperations) { expect_selftest("bodies", {}); }

} // namespace
} // namespace ado::bench
