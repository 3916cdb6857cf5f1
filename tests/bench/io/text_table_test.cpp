// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/text_table.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace ado::bench {
namespace {

std::string meaning_of(const std::string& name, const std::string& meaning) {
  std::ostringstream out;
  print_meaning(out, name, meaning);
  return out.str();
}

TEST(TextTable, MeaningsStandInOneColumnBehindNamesOfAnyLength) {
  EXPECT_EQ(meaning_of("skew", "a word"), "  skew             a word\n");
  EXPECT_EQ(meaning_of("sixteen_letters_", "a word"), "  sixteen_letters_ a word\n");
  EXPECT_EQ(meaning_of("a_name_of_20_letters", "a word"), "  a_name_of_20_letters a word\n");
  const std::string two = meaning_of("skew", std::string(61, 'a') + " " + std::string(61, 'b'));
  EXPECT_EQ(two, "  skew             " + std::string(61, 'a') + "\n" + std::string(19, ' ') +
                     std::string(61, 'b') + "\n");
}

TEST(TextTable, TheWidestColumnOfTextGoesOnBelowItselfWhereThereIsNoRoom) {
  std::ostringstream out;
  TextTable table({{"a"}, {"what"}});
  table.add({std::string(30, 'n'), std::string(40, 'x') + " " + std::string(40, 'y')});
  table.add({"m", "z"});
  table.print(out);
  const std::string rules = std::string(30, '-') + "  " + std::string(40, '-') + "\n";
  EXPECT_EQ(out.str(), "a" + std::string(31, ' ') + "what\n" + rules + std::string(30, 'n') + "  " +
                           std::string(40, 'x') + "\n" + std::string(32, ' ') +
                           std::string(40, 'y') + "\nm" + std::string(31, ' ') + "z\n");
}

TEST(TextTable, TextBehindALabelGoesOnBelowTheText) {
  EXPECT_EQ(wrapped("    label  one two three", 18),
            (std::vector<std::string>{"    label  one two", "           three"}));
}

TEST(Pieces, BreakAtTheEdgeOfTheScreen) {
  const auto printed = [](const std::vector<std::string>& pieces) {
    std::ostringstream out;
    print_pieces(out, "build", pieces, ", ");
    return out.str();
  };
  EXPECT_EQ(printed({"a", "b"}), "build    a, b\n");
  const std::string half(40, 'x');
  EXPECT_EQ(printed({half, half}), "build    " + half + ",\n         " + half + "\n");
  EXPECT_EQ(printed({half + " " + half, "b"}), "build    " + half + "\n         " + half + ", b\n")
      << "one that is longer than a line";
}

} // namespace
} // namespace ado::bench
