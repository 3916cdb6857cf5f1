// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch parameters, for variants that take them: every size that fits gives a right result within
// the bound of its order of summation, and one that does not fit is refused.
#include "variant_test.hpp"
#include <ado/core/error.hpp>

#include <climits>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

class LaunchParameters : public VariantTest {
protected:
  /// Runs and verifies; returns whether the variant accepted these parameters.
  bool runs_right_with(const Launch& launch, const HostData& data) {
    SCOPED_TRACE("team size " + std::to_string(launch.team_size) + ", league size " +
                 std::to_string(launch.league_size) + ", stride " + std::to_string(launch.stride));
    Workbench bench(device(), data, 1);
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    try {
      bench.run(variant(), 0, launch);
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("at most"), std::string::npos) << error.what();
      return false;
    }
    const Problem& problem = data.problem();
    const Check check =
        bench.verify(0, variant().rounding_steps(problem.shape, problem.type, launch));
    EXPECT_TRUE(check.ok) << check.first_wrong;
    EXPECT_FALSE(bench.overran_workspace()) << "memory behind the workspace was overwritten";
    return true;
  }
};

/// Shapes with work left for the last team. A hundred thousand teams of two threads on two busy
/// cores would take half a minute.
std::vector<Shape> shapes_of(const Variant& variant) {
  std::vector<Shape> shapes = edge_shapes_of(variant);
  std::erase_if(shapes, [](const Shape& s) { return s[0] > 5000; });
  return shapes;
}

using TeamSize = LaunchParameters;

TEST_P(TeamSize, AnyThatFitsIsRight) {
  for (const Shape& shape : shapes_of(variant())) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 17);
    bool some = false;
    for (const int threads : {1, 2, 3, 32, 64, 96, 256, 512, 1024})
      some = runs_right_with({.team_size = threads}, data) || some;
    EXPECT_TRUE(some) << "none fits";
    for (const int threads : {-1, INT_MAX})
      EXPECT_FALSE(runs_right_with({.team_size = threads}, data)) << threads << " threads";
    if (HasFailure()) return;
  }
}

using LeagueSize = LaunchParameters;

TEST_P(LeagueSize, AnyIsRight) {
  for (const Shape& shape : shapes_of(variant())) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 19);
    for (const int teams : {1, 2, 3, 64, 1000}) // also more than there are rows
      EXPECT_TRUE(runs_right_with({.league_size = teams}, data)) << teams << " teams";
    for (const int teams : {-1, INT_MAX})
      EXPECT_FALSE(runs_right_with({.league_size = teams}, data)) << teams << " teams";
    if (HasFailure()) return;
  }
}

using Stride = LaunchParameters;

TEST_P(Stride, AnyThatFitsIsRight) {
  for (const Shape& shape : edge_shapes()) {
    SCOPED_TRACE(text_of(shape, {}));
    HostData data(problem(shape));
    data.make(DataKind::uniform, 23);
    for (const int stride : {1, 2, 3, 8, 31, 32})
      EXPECT_TRUE(runs_right_with({.stride = stride}, data)) << stride << " elements";
    for (const int stride : {33, 1000, INT_MAX}) // also longer than the vector
      runs_right_with({.stride = stride}, data);
    for (const int stride : {1, 2, 32})
      EXPECT_TRUE(runs_right_with(
          {.league_size = variant().takes_league_size ? 7 : 0, .stride = stride}, data))
          << stride << " elements";
    EXPECT_FALSE(runs_right_with({.stride = -1}, data));
    if (HasFailure()) return;
  }
}

ADO_FOR_VARIANTS(TeamSize, [](const VariantCase& c) { return c.variant->takes_team_size; });
ADO_FOR_VARIANTS(LeagueSize, [](const VariantCase& c) { return c.variant->takes_league_size; });
ADO_FOR_VARIANTS(Stride, [](const VariantCase& c) { return c.variant->takes_stride; });

} // namespace
} // namespace ado::bench
