// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CPU BLAS counts in 32 bits; larger sizes are refused, not truncated.
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ado::bench {
namespace {

/// A call on arrays of this shape, without memory: it must be refused before anything is read.
Call call_without_memory(const Variant& variant, const Shape& shape) {
  Call call{.type = Type::f64, .shape = shape, .arrays = {}, .queue = {}};
  const std::vector<ArraySpec> specs = find_algorithm(variant.algorithm)->arrays(shape);
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const Extents& extent = specs[k].extent;
    call.arrays[k] = {nullptr, extent, {extent[1] * extent[2], extent[2], 1}};
  }
  return call;
}

TEST(BlasSizes, BeyondTheLibrarysIntegerAreRefusedByName) {
  std::size_t libraries = 0;
  for (const Variant& variant : variants()) {
    if (variant.model != Model::vendor || variant.backend != host_backend) continue;
    if (variant.name == "eigen") continue; // counts in 64 bits
    ++libraries;
    constexpr std::size_t too_many = std::size_t{1} << 31;
    for (const Shape& shape : {Shape{too_many, 1, 1}, Shape{1, too_many, 1}}) {
      SCOPED_TRACE(std::string(variant.file));
      try {
        variant.run(call_without_memory(variant, shape));
        FAIL() << "not refused";
      } catch (const InvalidArgument& error) {
        const std::string text = error.what();
        for (const std::string_view part : {variant.algorithm, variant.name})
          EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("2147483647"), std::string::npos) << text;
      }
    }
  }
  if (libraries == 0) GTEST_SKIP() << "this build calls no library on the CPU";
}

} // namespace
} // namespace ado::bench
