// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What access patterns cost, against published profiler counts and counts by hand.
#include <ado/bench/data/data.hpp>
#include <ado/core/checks.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

/// The accesses that the registered variant states, on any backend.
std::vector<Access> accesses_of(std::string_view algorithm, std::string_view name, const Shape& s,
                                Type type) {
  for (const Variant& v : variants())
    if (v.algorithm == algorithm && v.name == name && v.model == Model::kokkos &&
        v.accesses != nullptr)
      return v.accesses(s, type, {});
  ADD_FAILURE() << algorithm << " " << name << " declares no accesses";
  return {};
}

RequestCost cost(const std::vector<Access>& accesses, std::string_view what, Space space,
                 Direction direction) {
  for (const Access& access : accesses)
    if (access.what == what && access.space == space && access.direction == direction)
      return cost_of(access);
  ADD_FAILURE() << "no access to " << what;
  return {};
}

RequestCost loads(const std::vector<Access>& accesses, std::string_view what) {
  return cost(accesses, what, Space::global, Direction::load);
}
RequestCost stores(const std::vector<Access>& accesses, std::string_view what) {
  return cost(accesses, what, Space::global, Direction::store);
}

/// Lanes `stride` bytes apart.
Access strided(Space space, std::size_t bytes, std::size_t stride) {
  return {
      "s", space, Direction::load, bytes, 1, 1, [=](std::size_t, std::size_t lane, std::size_t) {
        return lane * stride;
      }};
}

TEST(AccessPattern, SectorsOfEveryStride) {
  for (const std::size_t bytes : {1u, 2u, 4u, 8u, 16u})
    for (std::size_t stride = 1; stride <= 70; ++stride) {
      bool touched[32 * 70 * 16 / 32 + 1] = {};
      for (std::size_t lane = 0; lane < 32; ++lane)
        touched[lane * stride * bytes / 32] = true;
      double sectors = 0;
      for (const bool sector : touched)
        sectors += sector ? 1 : 0;
      const RequestCost c = cost_of(strided(Space::global, bytes, stride * bytes));
      EXPECT_EQ(c.cost, sectors) << bytes << " bytes, stride " << stride;
      EXPECT_EQ(c.least, double(bytes));
    }
}

TEST(AccessPattern, OneElementForAllLanesIsOneSectorAndIdleLanesCostNothing) {
  const RequestCost same = cost_of(strided(Space::global, 4, 0));
  EXPECT_EQ(same.cost, 1);
  EXPECT_EQ(same.least, 1);
  Access one = strided(Space::global, 4, 4096);
  one.address = [](std::size_t warp, std::size_t lane, std::size_t) {
    return warp == 1 && lane == 7 ? std::size_t{4096} : idle;
  };
  one.warps = 3;
  EXPECT_EQ(cost_of(one).requests, 1); // the other warps request nothing
  EXPECT_EQ(cost_of(one).cost, 1);
  one.warps = 0;
  EXPECT_EQ(cost_of(one).requests, 0);
  EXPECT_EQ(cost_of(one).efficiency(), 1);
}

// Four-byte words: the classic rule, gcd(stride, 32).
TEST(AccessPattern, BankConflictsOfFourByteStrides) {
  const double expected[] = {1, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 16, 1};
  for (std::size_t stride = 0; stride < std::size(expected); ++stride)
    EXPECT_EQ(cost_of(strided(Space::shared, 4, 4 * stride)).cost, expected[stride]) << stride;
  EXPECT_EQ(cost_of(strided(Space::shared, 4, 4 * 32)).cost, 32);
  EXPECT_EQ(cost_of(strided(Space::shared, 1, 1)).cost, 1); // four lanes share a word
  EXPECT_EQ(cost_of(strided(Space::shared, 16, 16)).cost, 4);
  EXPECT_EQ(cost_of(strided(Space::shared, 16, 16)).least, 4);
  Access two = strided(Space::shared, 4, 0); // two words of one bank, alternating
  two.address = [](std::size_t, std::size_t lane, std::size_t) { return lane % 2 * 128; };
  EXPECT_EQ(cost_of(two).cost, 2);
}

// The published kernel: threads read their own vectors of v; all read a row of a contiguously; the
// first one stores an element of y. Nsight Compute's rule of uncoalesced accesses counted 117440512
// excessive sectors of 151257088.
TEST(AccessPattern, PublishedCountsOfAverageMv) {
  const auto accesses = accesses_of("average_mv", "block_per_set", {512, 512, 512}, Type::f32);
  const RequestCost all = cost_of(accesses, Space::global), v = loads(accesses, "v");
  EXPECT_EQ(all.cost, 151257088);
  EXPECT_EQ(all.excessive(), 117440512);
  EXPECT_EQ(v.excessive(), 117440512); // all of it
  EXPECT_EQ(v.per_request(), 32);
  EXPECT_EQ(v.least_per_request(), 4); // "8 sectors for 1"
  // Part 2 of the series, the line that loads v: 1,073,741,824 transactions, ideal 134,217,728.
  const auto large = accesses_of("average_mv", "block_per_set", {1024, 1024, 1024}, Type::f32);
  EXPECT_EQ(loads(large, "v").cost, 1073741824);
  EXPECT_EQ(loads(large, "v").least, 134217728);
}

struct Sectors {
  const char* variant;
  double sectors, ideal;
};
void expect_sectors(const Sectors& expected) {
  const RequestCost all = cost_of(
      accesses_of("average_mv", expected.variant, {512, 512, 512}, Type::f32), Space::global);
  EXPECT_EQ(all.cost, expected.sectors) << expected.variant;
  EXPECT_EQ(all.least, expected.ideal) << expected.variant;
}

// memory_l2_theoretical_sectors_global and .._ideal as Nsight Compute counted them on an H200,
// equal for the portable and the hand-written kernel.
TEST(AccessPattern, CountedSectorsOfAverageMv) {
  expect_sectors({"flat", 272924672, 37814272});
  expect_sectors({"thread_mv", 151257088, 33587200});
  expect_sectors({"vector_mv", 33816576, 33816576});
}

// Counted likewise. A set has one thread per vector: 512 loads by 16 warps, 32 sectors each, or 4
// if contiguous; as many of a, contiguous; and 512 stores of one element.
TEST(AccessPattern, SectorsOfAverageMvThatSweeps) {
  constexpr double sets = 512, requests = 16 * 512, a = sets * requests * 4, y = sets * 512;
  for (const char* name : {"one_block", "block_per_set"})
    expect_sectors({name, sets * requests * 32 + a + y, sets * requests * 4 + a + y});
  expect_sectors({"coalesced", sets * requests * 4 + a + y, sets * requests * 4 + a + y});
}

// The averaging kernel alone, 16 lanes per vector, as counted on an H200.
TEST(AccessPattern, CountedSectorsOfAverageTeam) {
  for (const char* algorithm : {"average", "average_mv"}) {
    const RequestCost all =
        cost_of(accesses_of(algorithm, "tuned", {512, 512, 512}, Type::f32), Space::global);
    EXPECT_EQ(all.cost, 16908288) << algorithm;
    EXPECT_EQ(all.excessive(), 0) << algorithm;
  }
}

TEST(AccessPattern, AverageTeamReadsPacksOnlyWhereTheyLieOnTheirBoundary) {
  const auto of = [](std::size_t vectors) {
    return loads(accesses_of("average", "team", {4, 4, vectors}, Type::f32), "v");
  };
  EXPECT_EQ(of(512).least_per_request(), 16); // 512 bytes
  EXPECT_LE(of(509).least_per_request(), 4);
  EXPECT_GT(of(509).excessive(), 0) << "rows that begin inside a sector";
}

// x from scratch: read from memory once per team, without bank conflicts.
TEST(AccessPattern, ScratchLimitedReadsAOnceAndXOnceATeam) {
  const Shape s{61, 1003, 1};
  const auto of = accesses_of("yax", "scratch_limited", s, Type::f64);
  EXPECT_EQ(loads(of, "a").cost,
            loads(accesses_of("yax", "row_per_vector", s, Type::f64), "a").cost);
  const double teams = 8; // of 2 x 4 rows
  EXPECT_EQ(loads(of, "x").cost, teams * 251);
  EXPECT_EQ(cost_of(of, Space::shared).efficiency(), 1);
  EXPECT_EQ(cost(of, "x", Space::shared, Direction::load).requests, 61 * 32.);
}

// Likewise, and memory_l1_wavefronts_shared, for 4096 x 4096 elements of f64.
TEST(AccessPattern, CountedSectorsAndPassesOfTranspose) {
  const auto of = [](std::string_view name) {
    return accesses_of("transpose", name, {4096, 4096, 1}, Type::f64);
  };
  for (const char* name : {"flat", "flat_write", "tile_rows", "tile_strided"})
    EXPECT_EQ(cost_of(of(name), Space::global).cost, 20971520) << name;
  for (const char* name : {"blocked", "tiled", "tiled_padded"})
    EXPECT_EQ(cost_of(of(name), Space::global).cost, 8388608) << name;
  EXPECT_EQ(cost_of(of("flat"), Space::global).least, 8388608);
  EXPECT_EQ(cost_of(of("tiled"), Space::shared).cost, 17825792);
  EXPECT_EQ(cost_of(of("tiled_padded"), Space::shared).cost, 2097152);
  EXPECT_EQ(cost_of(of("tiled"), Space::shared).least, 2097152);
}

// nvprof: gld_efficiency 25 %, and shared_efficiency 11.8 % for the unpadded tile, over its stores
// and loads: a store of 256 bytes takes 2 passes of 128, a load down a column 32; (2 + 2) / (2 +
// 32).
TEST(AccessPattern, PublishedEfficienciesOfTransposeF64) {
  const Shape s{1024, 2048, 1};
  const auto flat = accesses_of("transpose", "flat_write", s, Type::f64);
  EXPECT_EQ(loads(flat, "a").efficiency(), 0.25);
  EXPECT_EQ(stores(flat, "b").efficiency(), 1);
  const auto other = accesses_of("transpose", "flat", s, Type::f64);
  EXPECT_EQ(loads(other, "a").efficiency(), 1);
  EXPECT_EQ(stores(other, "b").efficiency(), 0.25);
  const auto tiled = accesses_of("transpose", "tiled", s, Type::f64);
  EXPECT_EQ(loads(tiled, "a").efficiency(), 1);
  EXPECT_EQ(stores(tiled, "b").efficiency(), 1);
  const auto store = cost(tiled, "the tile", Space::shared, Direction::store);
  const auto load = cost(tiled, "the tile", Space::shared, Direction::load);
  EXPECT_EQ(store.per_request(), 2);
  EXPECT_EQ(load.per_request(), 32);
  EXPECT_NEAR(cost_of(tiled, Space::shared).efficiency(), 0.118, 0.0005);
  const auto padded = accesses_of("transpose", "tiled_padded", s, Type::f64);
  EXPECT_EQ(cost_of(padded, Space::shared).efficiency(), 1);
  EXPECT_EQ(cost_of(padded, Space::global).efficiency(), 1);
}

// As the cards of tiled and tiled_padded state for each element size.
TEST(AccessPattern, TilesOfEveryElementSize) {
  const Shape s{64, 96, 1};
  const auto load = [&](std::string_view name, Type type) {
    return cost(accesses_of("transpose", name, s, type), "the tile", Space::shared, Direction::load)
        .per_request();
  };
  EXPECT_EQ(load("tiled", Type::i8), 8);
  EXPECT_EQ(load("tiled", Type::i16), 16);
  EXPECT_EQ(load("tiled", Type::i32), 32);
  EXPECT_EQ(load("tiled", Type::i64), 32);
  EXPECT_EQ(load("tiled_padded", Type::i8), 1.75); // two in most columns
  EXPECT_EQ(load("tiled_padded", Type::i16), 1.5);
  EXPECT_EQ(load("tiled_padded", Type::i32), 1);
  EXPECT_EQ(load("tiled_padded", Type::i64), 2);
  EXPECT_EQ(load("tiled_padded", Type::c128), 4); // two halves, which conflict in pairs
}

TEST(AccessPattern, BlockedMovesWholeSectorsAndAnElementAtATimeWhereRowsAreNotAligned) {
  for (const Type type : {Type::i8, Type::i32, Type::f64}) {
    const auto wide = accesses_of("transpose", "blocked", {256, 512, 1}, type);
    EXPECT_EQ(cost_of(wide, Space::global).efficiency(), 1) << name_of(type);
    EXPECT_EQ(wide[0].bytes, 16u) << name_of(type);
  }
  // Two adjacent elements of 16 bytes are two requests, each for half of every sector.
  const auto halves = accesses_of("transpose", "blocked", {256, 512, 1}, Type::c128);
  EXPECT_EQ(cost_of(halves, Space::global).efficiency(), 0.5);
  const auto narrow = accesses_of("transpose", "blocked", {255, 511, 1}, Type::i32);
  EXPECT_EQ(narrow[0].bytes, 4u);
  EXPECT_LT(cost_of(narrow, Space::global).efficiency(), 0.5);
}

TEST(AccessPattern, LadderOfYax) {
  const Shape s{4096, 8192, 1};
  const auto of = [&](std::string_view name) { return accesses_of("yax", name, s, Type::f64); };
  EXPECT_EQ(loads(of("row_per_thread"), "a").per_request(), 32);
  EXPECT_EQ(loads(of("row_per_thread"), "a").efficiency(), 0.25);
  EXPECT_EQ(loads(of("row_per_thread"), "x").per_request(), 1);
  EXPECT_EQ(loads(of("row_per_thread"), "a").requests, 4096. * 8192 / 32);
  EXPECT_EQ(loads(of("one_team"), "a").per_request(), 32);
  for (const char* name : {"row_per_thread_left", "row_per_thread_batched", "row_per_vector",
                           "row_per_vector_atomic", "row_per_vector_shared", "row_per_team"}) {
    EXPECT_EQ(loads(of(name), "a").per_request(), 8) << name;
    EXPECT_EQ(loads(of(name), "a").efficiency(), 1) << name;
  }
}

/// With this stride.
std::vector<Access> vector_add_with(std::string_view name, int stride, Type type) {
  for (const Variant& v : variants())
    if (v.algorithm == "vector_add" && v.name == name && v.model == Model::kokkos)
      return v.accesses({1 << 16, 1, 1}, type, {.stride = stride});
  ADD_FAILURE() << "no variant " << name;
  return {};
}

TEST(AccessPattern, LadderOfVectorAdd) {
  const Shape s{1 << 16, 1, 1};
  for (const char* name : {"coalesced", "several", "read_only", "wide", "team", "divergent"}) {
    const auto all = accesses_of("vector_add", name, s, Type::f32);
    EXPECT_EQ(cost_of(all, Space::global).cost, 3 * s[0] * 4 / 32) << name;
    EXPECT_EQ(cost_of(all, Space::global).efficiency(), 1) << name;
  }
  const int strides[] = {1, 2, 4, 8, 16};
  const double sectors[] = {4, 8, 16, 32, 32};
  for (std::size_t k = 0; k < std::size(strides); ++k) {
    const auto strided = vector_add_with("strided", strides[k], Type::f32);
    EXPECT_EQ(loads(strided, "a").per_request(), sectors[k]) << strides[k];
    EXPECT_EQ(loads(strided, "b").per_request(), sectors[k]) << strides[k];
    EXPECT_EQ(stores(strided, "c").per_request(), sectors[k]) << strides[k];
    EXPECT_EQ(loads(strided, "a").requests, s[0] / 32.) << "the same work";
  }
  const auto of_long = accesses_of("vector_add", "strided", {1 << 20, 1, 1}, Type::f32);
  EXPECT_EQ(loads(of_long, "a").per_request(), 16) << "four elements a lane, without a stride";
}

TEST(AccessPattern, BanksOfVectorAdd) {
  const int strides[] = {1, 2, 3, 8, 32, 33};
  const double ways[] = {1, 2, 1, 8, 32, 1};
  for (std::size_t k = 0; k < std::size(strides); ++k) {
    const auto banks = vector_add_with("banks", strides[k], Type::f32);
    EXPECT_EQ(1 / cost_of(banks, Space::shared).efficiency(), ways[k]) << strides[k];
    EXPECT_EQ(cost_of(banks, Space::global).efficiency(), 1);
    EXPECT_EQ(cost_of(banks, Space::shared).requests, 2 * 9 * (1 << 16) / 32)
        << "stores and loads of four round trips and the way in";
  }
  EXPECT_TRUE(vector_add_with("banks", 34, Type::f32).empty()) << "it is refused";
}

// One lane per row, with 16 bytes of it: half of each sector. Four lanes per row: all of it.
TEST(AccessPattern, WideAccesses) {
  const RequestCost alone = cost_of(rows_by_lanes("v", 64, 128, 4, 1, 4));
  EXPECT_EQ(alone.per_request(), 32);
  EXPECT_EQ(alone.least_per_request(), 16);
  const RequestCost four = cost_of(rows_by_lanes("v", 64, 128, 4, 4, 4));
  EXPECT_EQ(four.per_request(), 16);
  EXPECT_EQ(four.efficiency(), 1);
  const RequestCost warp = cost_of(rows_by_lanes("v", 3, 130, 4, 32));
  EXPECT_EQ(warp.requests, 3 * 5); // a row's last request covers two elements
  EXPECT_EQ(warp.least, 3 * (4 * 4 + 1));
}

/// Counts how often an access requests each byte of its array.
void mark(const Access& access, std::vector<int>& times) {
  for (std::size_t warp = 0; warp < access.warps; ++warp)
    for (std::size_t step = 0; step < access.steps; ++step)
      for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
        const std::size_t first = access.address(warp, lane, step);
        if (first == idle) continue;
        if (first + access.bytes > times.size()) times.resize(first + access.bytes);
        for (std::size_t byte = first; byte < first + access.bytes; ++byte)
          ++times[byte];
      }
}

TEST(AccessPattern, OfEveryVariantIsAllOfEachArrayAndNothingElse) {
  std::size_t declared = 0;
  for (const Variant& v : variants()) {
    if (v.accesses == nullptr) continue;
    ++declared;
    const Algorithm& algorithm = *find_algorithm(v.algorithm);
    for (Shape shape : {Shape{3, 5, 7}, Shape{70, 33, 130}, Shape{257, 1, 65}})
      for (const TypeInfo& of : type_table) {
        const Type type = of.type;
        if (!v.types.contains(type)) continue;
        if (algorithm.name == "vector_add") shape[0] = round_up(shape[0], 16); // whole packs
        SCOPED_TRACE(std::string(v.file) + " " + std::string(name_of(type)) + " " +
                     std::to_string(shape[0]));
        std::map<std::string, std::vector<int>> loaded, stored;
        for (const Access& access : v.accesses(shape, type, {})) {
          const RequestCost cost = cost_of(access);
          EXPECT_GE(cost.cost, cost.least) << access.what;
          EXPECT_GT(cost.requests, 0) << access.what;
          if (access.space == Space::global)
            mark(access, (access.direction == Direction::load ? loaded : stored)[access.what]);
        }
        EXPECT_FALSE(loaded.empty());
        const std::vector<ArraySpec> specs = algorithm.arrays(shape);
        for (const ArraySpec& spec : specs) {
          const bool output = &spec == &specs.back();
          auto& of_kind = output ? stored : loaded;
          const auto found = of_kind.find(std::string(spec.name));
          if (found == of_kind.end()) continue;
          EXPECT_EQ(found->second.size(), element_count(spec) * size_of(type)) << spec.name;
          for (const int times : found->second) {
            if (output ? times == 1 : times > 0) continue;
            ADD_FAILURE() << spec.name << ": a byte is asked for " << times << " times";
            break;
          }
        }
      }
  }
  EXPECT_GT(declared, 20u);
}

// The pattern's phase changes between requests: a sample has to meet all phases.
TEST(AccessPattern, ASampleStandsForAllRequests) {
  const Access rows = rows_by_lanes("v", 1 << 12, 1001, 4, 32);
  const RequestCost all = cost_of(rows, static_cast<std::size_t>(-1)), some = cost_of(rows, 4096);
  EXPECT_EQ(all.requests, some.requests);
  EXPECT_GT(all.per_request(), 4.5); // most rows do not start at a sector
  EXPECT_NEAR(some.per_request(), all.per_request(), 0.01);
}

TEST(AccessPattern, AverageMvWithAThreadASet) {
  const Shape s{96, 33, 65};
  const auto flat = accesses_of("average_mv", "flat", s, Type::f64);
  EXPECT_EQ(loads(flat, "v").requests, 3. * 33 * 65);
  EXPECT_EQ(loads(flat, "v").per_request(), 32);
  EXPECT_EQ(loads(flat, "a").per_request(), 1);
  EXPECT_EQ(stores(flat, "y").efficiency(), 1);
  EXPECT_EQ(loads(accesses_of("average", "flat", s, Type::f64), "v").requests, 99. * 65);
}

} // namespace
} // namespace ado::bench
