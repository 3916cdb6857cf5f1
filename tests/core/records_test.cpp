// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wrong record is reported by name.
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

namespace ado::bench {
namespace {

std::vector<ArraySpec> vectors(const Shape& s) {
  return {{"x", 1, {s[0], 1, 1}}, {"y", 1, {s[0], 1, 1}, true}};
}
std::unique_ptr<Oracle> no_oracle(Type, const Shape&, const std::vector<Array>&) { return {}; }

Algorithm right_algorithm() {
  return {.name = "mine",
          .formula = "y = x",
          .sizes = {{"elements", 'n'}},
          .types = {Type::f32},
          .default_type = Type::f32,
          .arrays = vectors,
          .oracle = no_oracle};
}
Variant right_variant() {
  return {.algorithm = "mine",
          .name = "loop",
          .model = Model::openmp,
          .backend = "host",
          .types = {Type::f32},
          .summary = "",
          .file = "loop.cpp",
          .run = [](const Call&) {},
          .rounding_steps = nullptr};
}

/// The complaint about the record after `spoil` changed it.
template <class Spoil>
std::vector<std::string> of_algorithm(const Spoil& spoil) {
  Algorithm algorithm = right_algorithm();
  spoil(algorithm);
  return mistakes_in_records({algorithm}, {right_variant()});
}

void expect_one(const std::vector<std::string>& found, const std::string& text) {
  ASSERT_EQ(found.size(), 1u) << text;
  EXPECT_NE(found[0].find(text), std::string::npos) << found[0];
}

TEST(Records, OfThisProgramAreRight) {
  EXPECT_EQ(mistakes_in_records(algorithms(), variants()), std::vector<std::string>{});
  EXPECT_EQ(mistakes_in_records({right_algorithm()}, {right_variant()}),
            std::vector<std::string>{});
}

TEST(Records, AMemberThatIsMissingIsNamed) {
  expect_one(of_algorithm([](Algorithm& a) { a.oracle = nullptr; }),
             "algorithm 'mine': oracle: missing");
  expect_one(of_algorithm([](Algorithm& a) { a.arrays = nullptr; }), "'mine': arrays: missing");
  expect_one(of_algorithm([](Algorithm& a) { a.sizes.clear(); }), "sizes: there have to be 1 to 3");
  expect_one(of_algorithm([](Algorithm& a) { a.default_type = Type::f64; }),
             "default_type: is none of its types");
}

TEST(Records, ArraysThatCannotBeAreNamed) {
  expect_one(of_algorithm([](Algorithm& a) {
               a.arrays = [](const Shape&) { return std::vector<ArraySpec>{}; };
             }),
             "arrays: gives 0");
  expect_one(of_algorithm([](Algorithm& a) {
               a.arrays = [](const Shape& s) {
                 return std::vector<ArraySpec>{{"x", 1, {s[0], 1, 1}}, {"y", 1, {s[0], 1, 1}}};
               };
             }),
             "'y' is the last and no output");
  expect_one(of_algorithm([](Algorithm& a) {
               a.arrays = [](const Shape& s) {
                 return std::vector<ArraySpec>{{"x", 1, {s[0]}}, {"y", 1, {s[0], 1, 1}, true}};
               };
             }),
             "'x' has extent 0 in dimension 1");
  expect_one(of_algorithm([](Algorithm& a) {
               a.arrays = [](const Shape& s) {
                 return std::vector<ArraySpec>{{"x", 1, {s[0], 1, 1}},
                                               {"y", 1, {s[0], 1, 1}, true},
                                               {"z", 1, {s[0], 1, 1}},
                                               {"u", 1, {s[0], 1, 1}, true}};
               };
             }),
             "'z' is an input behind an output");
  expect_one(
      of_algorithm([](Algorithm& a) {
        a.arrays = [](const Shape& s) {
          return std::vector<ArraySpec>{{"y", 1, {s[0], 1, 1}}, {"y", 1, {s[0], 1, 1}, true}};
        };
      }),
      "'y' is the name of two");
  expect_one(of_algorithm([](Algorithm& a) {
               a.slicing = Slicing{.size = 0, .cut = {0, 0, 0}};
               a.arrays = [](const Shape& s) {
                 return std::vector<ArraySpec>{{"x", 1, {s[0], 1, 1}},
                                               {"y", 1, {s[0], 1, 1}, true},
                                               {"z", 1, {s[0], 1, 1}, true}};
               };
             }),
             "several outputs, so the problem cannot be cut");
}

TEST(Records, TypesOfTheirOwnAreForSomeArrays) {
  expect_one(of_algorithm([](Algorithm& a) {
               a.arrays = [](const Shape& s) {
                 return std::vector<ArraySpec>{
                     {.name = "x", .rank = 1, .extent = {s[0], 1, 1}, .own_type = Type::i32},
                     {.name = "y",
                      .rank = 1,
                      .extent = {s[0], 1, 1},
                      .output = true,
                      .own_type = Type::i64}};
               };
             }),
             "each has a type of its own");
  expect_one(of_algorithm([](Algorithm& a) {
               a.arrays = [](const Shape& s) {
                 std::vector<ArraySpec> specs = vectors(s);
                 specs[1].fill = [](const Array&, const Shape&, std::uint64_t) {};
                 return specs;
               };
             }),
             "'y' is an output, so it must not have a fill");
  expect_one(of_algorithm([](Algorithm& a) {
               a.slicing = Slicing{.size = 0, .cut = {0, 0, 0}};
               a.arrays = [](const Shape& s) {
                 return std::vector<ArraySpec>{
                     {"x", 1, {s[0], 1, 1}},
                     {.name = "k", .rank = 1, .extent = {s[0], 1, 1}, .own_type = Type::i32},
                     {"y", 1, {s[0], 1, 1}, true}};
               };
             }),
             "'k' has a type of its own or fills itself, so the problem cannot be cut");
}

TEST(Records, AShortOptionIsOfOneSize) {
  Algorithm other = right_algorithm();
  other.name = "other";
  other.sizes = {{"bodies", 'n'}};
  Algorithm first = right_algorithm();
  first.sizes = {{"elements", 'n'}};
  Variant its = right_variant();
  its.algorithm = "other";
  expect_one(mistakes_in_records({first, other}, {right_variant(), its}),
             "algorithm 'other': sizes: -n is short for 'elements' of algorithm 'mine', so it");
  other.sizes = first.sizes;
  EXPECT_TRUE(mistakes_in_records({first, other}, {right_variant(), its}).empty());
}

TEST(Records, VariantsWithoutAnAlgorithmAndTwinsAreNamed) {
  const std::vector<Algorithm> one{right_algorithm()};
  expect_one(mistakes_in_records(one, {right_variant(), right_variant()}),
             "variant mine openmp/loop (loop.cpp): another one has its name and model");
  Variant stray = right_variant();
  stray.algorithm = "yours";
  expect_one(mistakes_in_records(one, {right_variant(), stray}), "there is no algorithm of that");
  stray = right_variant();
  stray.run = nullptr;
  expect_one(mistakes_in_records(one, {stray}), "run: missing");
  expect_one(mistakes_in_records(one, {}), "'mine': has no variant");
}

TEST(Records, AVariantToCompareWithThatIsNotThereIsNamed) {
  const std::vector<Algorithm> one{right_algorithm()};
  Variant second = right_variant();
  second.name = "second";
  second.compared_with = "loop";
  EXPECT_TRUE(mistakes_in_records(one, {right_variant(), second}).empty());
  for (const char* nobody : {"lop", "second"}) {
    second.compared_with = nobody;
    expect_one(mistakes_in_records(one, {right_variant(), second}),
               "compared_with: its model has no other variant '" + std::string(nobody) + "'");
  }
}

} // namespace
} // namespace ado::bench
