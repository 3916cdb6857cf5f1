// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/shallow_json.hpp>

#include <gtest/gtest.h>

namespace ado::bench {
namespace {

TEST(ShallowJson, BracketsInTextsAreNoLevels) {
  const std::string brackets(100, '[');
  EXPECT_EQ(parse_shallow_json("{\"a\":\"" + brackets + "\"}")["a"], brackets);
  EXPECT_EQ(parse_shallow_json("[\"\\\"" + brackets + "\"]")[0], "\"" + brackets);
  const std::string deep(33, '['), undo(33, ']');
  EXPECT_THROW(parse_shallow_json(deep + undo), Error);
  EXPECT_THROW(parse_shallow_json("{\"a\":" + deep.substr(1) + undo.substr(1) + "}"), Error);
  EXPECT_NO_THROW(parse_shallow_json(deep.substr(1) + undo.substr(1)));
}

} // namespace
} // namespace ado::bench
