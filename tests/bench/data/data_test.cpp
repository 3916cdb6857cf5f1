// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made data: the same on any machine and any number of threads, and made so that errors show.
#include <ado/bench/data/data.hpp>
#include <ado/bench/device/host_memory.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

template <class T>
std::vector<T> made(Type type, std::size_t count, DataKind kind, std::uint64_t seed,
                    std::string_view name) {
  std::vector<T> data(count);
  fill_data(data.data(), type, count, kind, seed, name);
  return data;
}

std::vector<double> uniform(std::size_t count, std::uint64_t seed = 1,
                            std::string_view name = "a") {
  return made<double>(Type::f64, count, DataKind::uniform, seed, name);
}

/// Sets the number of OpenMP threads while it lives.
class Threads {
public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }

private:
  int before_;
};

TEST(MadeData, DependsOnSeedNameAndIndexAlone) {
  const std::vector<double> data = uniform(10007);
  for (const int threads : {1, 2, 5}) {
    const Threads set(threads);
    EXPECT_EQ(uniform(10007), data) << threads << " threads";
  }
  std::vector<double> prefix = uniform(100);
  EXPECT_TRUE(std::equal(prefix.begin(), prefix.end(), data.begin()))
      << "the count must not matter";
  std::vector<double> behind(7);
  fill_data(behind.data(), Type::f64, behind.size(), DataKind::uniform, 1, "a", 93);
  EXPECT_TRUE(std::equal(behind.begin(), behind.end(), data.begin() + 93)) << "a part of a rank";
  EXPECT_NE(uniform(10007, 2), data);
  EXPECT_NE(uniform(10007, 1, "b"), data);
  EXPECT_NE(uniform(10007, 1, "aa"), data);
}

/// If the generator changed, old records would silently become incomparable.
TEST(MadeData, IsTheSameInEveryVersion) {
  EXPECT_EQ(made<std::int32_t>(Type::i32, 4, DataKind::hash, 1, "a"),
            (std::vector<std::int32_t>{5, -5, -6, 8}));
  EXPECT_EQ(uniform(3), (std::vector<double>{0x1.e23f75d8b5c98p-1, 0x1.fe5f511bdbb6dp-1,
                                             -0x1.f015f7dbe4878p-4}));
}

TEST(MadeData, UniformFillsTheIntervalEvenly) {
  const std::vector<double> data = uniform(100000);
  std::vector<std::size_t> bins(20, 0);
  for (const double x : data) {
    ASSERT_GE(x, -1);
    ASSERT_LE(x, 1);
    ++bins[std::min<std::size_t>(19, static_cast<std::size_t>((x + 1) * 10))];
  }
  for (const std::size_t count : bins) // 5000 expected, standard deviation 69
    EXPECT_NEAR(static_cast<double>(count), 5000, 350);
  EXPECT_EQ(std::set<double>(data.begin(), data.end()).size(), data.size()) << "values repeat";
}

TEST(MadeData, UniformIntegersUseEveryValue) {
  const auto data = made<std::int8_t>(Type::i8, 20000, DataKind::uniform, 1, "a");
  EXPECT_EQ(std::set<std::int8_t>(data.begin(), data.end()).size(), 256u);
}

TEST(MadeData, OnesAndTwosAreBothThere) {
  for (const Type type : {Type::f32, Type::c64}) {
    const std::size_t parts = type == Type::c64 ? 2 : 1;
    std::vector<float> data(1000 * parts);
    fill_data(data.data(), type, 1000, DataKind::ones_twos, 1, "a");
    const auto ones = std::count(data.begin(), data.end(), 1.0f);
    const auto twos = std::count(data.begin(), data.end(), 2.0f);
    EXPECT_EQ(ones + twos, static_cast<std::ptrdiff_t>(data.size()));
    EXPECT_NEAR(static_cast<double>(ones), 500.0 * static_cast<double>(parts), 100);
  }
}

/// Swapping elements or moving them by one place changes nearly all of them.
TEST(MadeData, HashShowsMisplacement) {
  const auto data = made<double>(Type::f64, 20001, DataKind::hash, 1, "a");
  for (const std::size_t distance : {1, 2, 16, 32, 64, 100, 1024}) {
    std::size_t equal = 0;
    for (std::size_t k = 0; k + distance < data.size(); ++k)
      equal += data[k] == data[k + distance];
    EXPECT_LT(static_cast<double>(equal) / static_cast<double>(data.size() - distance), 0.08)
        << "moved by " << distance << "; one value in 17 is equal by chance";
  }
  for (const double x : data) {
    EXPECT_EQ(x, std::floor(x));
    EXPECT_LE(std::fabs(x), 8);
  }
}

/// Whether the mapping that holds the place asked for pages of 2 MiB; nothing if the system does
/// not say.
std::optional<bool> asks_for_large_pages(const void* place) {
  std::ifstream maps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &first, &last) == 2)
      is_here = first <= std::uintptr_t(place) && std::uintptr_t(place) < last;
    if (is_here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return std::nullopt;
}

TEST(HostPages, AreThoseThatWereAskedFor) {
  constexpr std::size_t bytes = std::size_t{64} << 20; // beyond what malloc keeps
  for (const Pages pages : {Pages::system, Pages::large}) {
    set_host_pages(pages);
    const DeviceMemory memory = allocate_on_host(bytes, "pages");
    const auto is_large = asks_for_large_pages(static_cast<std::byte*>(memory.get()) + bytes / 2);
    if (!is_large) GTEST_SKIP() << "no /proc/self/smaps with flags";
    EXPECT_EQ(*is_large, pages == Pages::large);
  }
}

TEST(HostChecksum, SeesEachByte) {
  std::array<std::uint64_t, 4> memory{};
  auto* const bytes = reinterpret_cast<unsigned char*>(memory.data());
  for (std::size_t count = 1; count <= 20; ++count) {
    const std::uint64_t before = host_checksum(bytes, count);
    for (std::size_t k = 0; k < count; ++k) {
      bytes[k] ^= 1;
      EXPECT_NE(host_checksum(bytes, count), before) << k << " of " << count;
      bytes[k] ^= 1;
    }
  }
}

TEST(DataKind, NamesGoBothWays) {
  for (const DataKind kind : {DataKind::ones_twos, DataKind::uniform, DataKind::hash})
    EXPECT_EQ(data_kind_named(name_of(kind)), kind);
  EXPECT_EQ(data_kind_named("Uniform"), std::nullopt);
  EXPECT_EQ(data_kind_named(""), std::nullopt);
}

} // namespace
} // namespace ado::bench
