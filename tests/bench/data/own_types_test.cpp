// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs with a type and a fill function of their own: the rows of a sparse matrix, keys.
#include "../../support/npy_files.hpp"
#include <ado/bench/data/workbench.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

void fill_keys(const Array& array, const Shape& s, std::uint64_t seed) {
  for (std::size_t k = 0; k < s[0]; ++k)
    array.as<std::int16_t>()[k] = std::int16_t(seed + k % 7);
}
/// One key more than there are elements, so its extent alone fixes no size.
std::vector<ArraySpec> arrays(const Shape& s) {
  return {{.name = "keys",
           .rank = 1,
           .extent = {s[0] + 1, 1, 1},
           .own_type = Type::i16,
           .fill = fill_keys},
          {.name = "counts", .rank = 1, .extent = {s[0] + 1, 1, 1}, .own_type = Type::i64},
          {"x", 1, {s[0], 1, 1}},
          {"y", 1, {s[0], 1, 1}, true}};
}
std::string no_key_above_9(const Shape& s, const std::vector<Array>& in) {
  for (std::size_t k = 0; k <= s[0]; ++k)
    if (in[0].as<const std::int16_t>()[k] > 9) return "keys: " + std::to_string(k) + " is above 9";
  return {};
}
Algorithm keyed() {
  return {.name = "keyed",
          .formula = "y = x by keys",
          .sizes = {{"elements", 'n'}},
          .types = real_types,
          .default_type = Type::f32,
          .arrays = arrays,
          .oracle = nullptr,
          .check_inputs = no_key_above_9};
}

TEST(OwnTypes, TakeTheirOwnBytes) {
  const Algorithm algorithm = keyed();
  const std::vector<ArraySpec> specs = arrays({1000, 1, 1});
  EXPECT_EQ(image_bytes(specs[0], Type::f64), 2008u + 2 * guard_bytes); // 2002, a multiple of 8
  EXPECT_EQ(image_bytes(specs[1], Type::f32), 8008u + 2 * guard_bytes);
  const Traffic traffic = traffic_of(algorithm, {1000, 1, 1}, Type::f32);
  EXPECT_EQ(traffic.bytes_read, 1001 * 2 + 1001 * 8 + 1000 * 4);
  EXPECT_EQ(traffic.bytes_written, 1000 * 4);
  EXPECT_EQ(working_set({&algorithm, {1000, 1, 1}, Type::f64}), 1001 * 10 + 2 * 1000 * 8);
}

TEST(OwnTypes, AreTheInputThatIsChangedOnlyIfThereIsNoOther) {
  std::vector<ArraySpec> specs = arrays({9, 1, 1});
  EXPECT_EQ(largest_input(specs), 2u);
  specs.erase(specs.begin() + 2);
  EXPECT_EQ(largest_input(specs), 0u) << "the first of two";
  specs.erase(specs.begin(), specs.begin() + 2);
  EXPECT_EQ(largest_input(specs), std::nullopt) << "only an output";
}

TEST(OwnTypes, FillThemselvesWhateverTheDataIs) {
  const Algorithm algorithm = keyed();
  HostData data({&algorithm, {20, 1, 1}, Type::f64});
  for (const DataKind kind : {DataKind::uniform, DataKind::ones_twos}) {
    data.make(kind, 3);
    for (std::size_t k = 0; k < 20; ++k)
      EXPECT_EQ(data.input(0).as<std::int16_t>()[k], std::int16_t(3 + k % 7)) << k;
  }
  const auto* counts = data.input(1).as<std::int64_t>(); // made like the data, in their own type
  const auto* x = data.input(2).as<double>();
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_TRUE(counts[k] == 1 || counts[k] == 2) << k;
    EXPECT_TRUE(x[k] == 1 || x[k] == 2) << k;
  }
  data.make(Witness{.largest = 5, .step = 1}, 3);
  EXPECT_EQ(data.input(0).as<std::int16_t>()[8], 4);
}

class OwnFiles : public npy_files::NpyFixture {
protected:
  std::string keys(const std::string& type, std::size_t bytes, std::size_t count,
                   char first = 0) const {
    std::string values(bytes * count, '\0');
    values[0] = first;
    const std::string shape = "(" + std::to_string(count) + ",)";
    return put(npy_files::npy(npy_files::dictionary(type, false, shape), values));
  }
  /// The complaint about this file as the keys of 20 elements; empty if none.
  static std::string refusal(const std::string& path) {
    const Algorithm algorithm = keyed();
    try {
      const InputFiles files = match_inputs(algorithm, {{"keys", path}});
      EXPECT_FALSE(files.type.has_value());
      HostData data({&algorithm, {20, 1, 1}, Type::f64});
      data.make(DataKind::uniform, 1);
      data.read(0, path, read_npy_header(path));
      data.check();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(OwnFiles, AreReadInTheirType) {
  EXPECT_EQ(refusal(keys("<i2", 2, 21, 9)), "");
  EXPECT_NE(refusal(keys("<i4", 4, 21)).find("holds i32, but keyed.keys holds i16; convert it"),
            std::string::npos);
}

TEST_F(OwnFiles, HaveTheExtentThatTheSizesGive) {
  for (const std::size_t count : {20, 22}) // 22 would write beyond the array's end
    EXPECT_NE(refusal(keys("<i2", 2, count))
                  .find("has shape (" + std::to_string(count) + ",), but it has to be (21,)"),
              std::string::npos);
}

TEST_F(OwnFiles, AreLookedAtBeforeAKernelGoesByThem) {
  EXPECT_EQ(refusal(keys("<i2", 2, 21, 10)), "--input: keys: 0 is above 9");
}

} // namespace
} // namespace ado::bench
