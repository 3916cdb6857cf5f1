// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mini-app does so that its numbers can be trusted, and says where they cannot.
#include "program.hpp"

namespace ado {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class MiniappTrust : public MiniappRun {};

TEST_F(MiniappTrust, TheSelftestCatchesEverythingOnTheDefaultBackend) {
  const Outcome outcome = miniapp("--selftest --algorithm all");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, "two indices change places")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n56 of 56 planted errors caught, on ")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "NOT ") || contains(outcome.out, "REFUSED")) << outcome.out;
  EXPECT_FALSE(contains(miniapp("--list").out, "tile_edge"));
  expect_refused("--variant tile_edge", {"--variant", "'tile_edge'"});
}

} // namespace
} // namespace ado
