// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chunk for a copy engine goes past the caches, in lines: a path that no variant of a CPU takes.
#include <ado/pipeline/prepare.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace ado {
namespace {

template <class T>
class PrepareChunk : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PrepareChunk, Reals);

TYPED_TEST(PrepareChunk, HasTheSameBitsForEveryReaderAndStaysInItsBuffer) {
  using T = TypeParam;
  constexpr std::size_t chunks = 3, guard = 16;
  constexpr T untouched = T(-12345.5);
  std::mt19937 generator(7);
  std::uniform_real_distribution<T> uniform(-1, 1);
  // Below and above where threads are woken; ends inside a line, inside what is stored at once, and on them.
  for (const std::size_t elements : {0, 1, 63, 64, 1001, 16383, 16384, 50021, 65536})
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(std::to_string(elements) + " elements, threads " + std::to_string(threads));
      std::vector<T> raw(chunks * (elements + 5)), gain(chunks);
      for (std::vector<T>* values : {&raw, &gain})
        for (T& value : *values)
          value = uniform(generator);
      Call call{};
      call.shape = {chunks, elements, 1};
      call.arrays[0] = {raw.data(), {chunks, elements, 1}, {elements + 5, 1, 1}};
      call.arrays[1] = {gain.data(), {chunks, 1, 1}, {1, 1, 1}};
      const PipelineChunks<T> stream(call);
      for (const Reader reader : {Reader::core, Reader::copy_engine}) {
        std::vector<T> memory(elements + guard + 64, untouched);
        const std::size_t behind = reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
        T* const to = memory.data() + (64 - behind) / sizeof(T);
        prepare_chunk(stream, 2, to, threads, reader);
        for (std::size_t i = 0; i < elements; ++i)
          ASSERT_EQ(to[i], stream.raw_of(2)[i] * gain[2]) << i;
        for (std::size_t i = elements; i < elements + guard; ++i)
          ASSERT_EQ(to[i], untouched) << i - elements << " behind the end";
      }
    }
}

} // namespace
} // namespace ado
