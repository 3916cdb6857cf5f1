// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU transposes: those that write whole cache lines past the cache, with rows that start anywhere
// in a line, and those too thin for blocks.
#include <ado/core/elements.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/openmp/strips.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace ado::bench {
namespace {

constexpr unsigned char guard = 0xa5;
constexpr std::size_t border = 256;

/// Memory that starts at a cache line.
struct Memory {
  std::vector<unsigned char> bytes;
  explicit Memory(std::size_t size) : bytes(size + 64, guard) {}
  unsigned char* start() {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    return bytes.data() + (64 - address % 64) % 64;
  }
};

/// Whether b is the transpose of a and no other byte of its memory changed. `memory` has `size`
/// bytes.
template <class E>
bool is_exact(const Matrices<E>& m, const unsigned char* memory, std::size_t size) {
  bool exact = true;
  constexpr std::size_t block = 32;
#pragma omp parallel for reduction(&& : exact)
  for (std::size_t j0 = 0; j0 < m.columns; j0 += block)
    for (std::size_t i0 = 0; i0 < m.rows; i0 += block)
      for (std::size_t j = j0; j < std::min(j0 + block, m.columns); ++j)
        for (std::size_t i = i0; i < std::min(i0 + block, m.rows); ++i)
          exact = exact && std::memcmp(m.b + j * m.ldb + i, m.a + i * m.lda + j, sizeof(E)) == 0;
  const auto* at = memory;
  const auto untouched_to = [&](const void* end) {
    for (; at < end; ++at)
      exact = exact && *at == guard;
  };
  for (std::size_t j = 0; j < m.columns; ++j) {
    untouched_to(m.b + j * m.ldb);
    at = reinterpret_cast<const unsigned char*>(m.b + j * m.ldb + m.rows);
  }
  untouched_to(memory + size);
  return exact;
}

/// Several strips; the last rows and columns do not fill a block.
template <class E>
constexpr std::size_t rows = (4096 + 2048 + 208) / sizeof(E) + 1;
constexpr std::size_t columns = 16 + (8u << 20) / 6352;

/// For every place in a cache line where E can start: a matrix whose rows of b are `padding`
/// elements apart.
template <class E>
void check_every_offset(std::size_t padding) {
  const std::size_t ldb = rows<E> + padding, size = 2 * border + columns * ldb * sizeof(E);
  Memory a(rows<E> * columns * sizeof(E));
  std::mt19937_64 random(rows<E>);
  for (unsigned char& byte : a.bytes)
    byte = static_cast<unsigned char>(random());
  for (std::size_t offset = 0; offset < 64; offset += alignof(E)) {
    Memory b(size);
    const Matrices<E> m{rows<E>,
                        columns,
                        reinterpret_cast<const E*>(a.start()),
                        columns,
                        reinterpret_cast<E*>(b.start() + border / 2 + offset),
                        ldb};
    ASSERT_TRUE(host_tile::may_stream(m));
    ASSERT_GT(host_tile::strip_count(m), 1u);
    transpose_strips(m, 3);
    ASSERT_TRUE(is_exact(m, b.start(), size)) << "b begins " << offset << " bytes behind a line";
  }
}

template <class E>
class TransposeStrips : public testing::Test {};
using Elements =
    testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Element16,
                   LooseElement<2, 1>, LooseElement<8, 4>, LooseElement<16, 4>>;
TYPED_TEST_SUITE(TransposeStrips, Elements);

TYPED_TEST(TransposeStrips, IsExactWhereverBBegins) { check_every_offset<TypeParam>(0); }
TYPED_TEST(TransposeStrips, TouchesNothingBetweenTheRowsOfB) { check_every_offset<TypeParam>(3); }
TYPED_TEST(TransposeStrips, IsExactWhereRowsOfBAreWholeLinesApart) {
  constexpr std::size_t line = 64 / sizeof(TypeParam);
  check_every_offset<TypeParam>(line - rows<TypeParam> % line);
}

TYPED_TEST(TransposeStrips, IsExactWhereBlocksDoNotFit) {
  using E = TypeParam;
  const auto check = [](std::size_t height, std::size_t width, std::size_t padding) {
    const std::size_t lda = width + padding, ldb = height + padding;
    const std::size_t size = width * ldb * sizeof(E) + border;
    Memory a(height * lda * sizeof(E)), b(size);
    std::mt19937_64 random(height);
    for (unsigned char& byte : a.bytes)
      byte = static_cast<unsigned char>(random());
    const Matrices<E> m{
        height, width, reinterpret_cast<const E*>(a.start()), lda, reinterpret_cast<E*>(b.start()),
        ldb};
    transpose_strips(m, 3);
    EXPECT_TRUE(is_exact(m, b.start(), size))
        << height << " x " << width << ", padding " << padding;
  };
  for (const std::size_t padding : {0, 1})
    for (std::size_t few = 1; few <= host_tile::block_rows<E>; ++few)
      for (const std::size_t many :
           {std::size_t{3}, std::size_t{48}, std::size_t{37}, std::size_t{999}}) {
        check(few, many, padding);
        check(many, few, padding);
      }
}

TEST(MayStream, NeedsRowsOfWholeLinesAndALargeOutput) {
  using E = std::uint32_t;
  const auto may = [](std::size_t height, std::size_t width) {
    return host_tile::may_stream(Matrices<E>{height, width, nullptr, width, nullptr, height});
  };
  EXPECT_TRUE(may(1024, 2048));
  EXPECT_FALSE(may(1024, 2047)) << "just below 8 MiB";
  EXPECT_TRUE(may(64, 1 << 20));
  EXPECT_FALSE(may(63, 1 << 20)) << "hardly a line is whole";
}

} // namespace
} // namespace ado::bench
