// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's own work on the chunks of pipeline, on any number of threads: what it writes, and
// nothing beyond; and its turns beside a device.
#include <ado/core/error.hpp>
#include <ado/pipeline/prepare.hpp>
#include <ado/registry/stages.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <random>
#include <vector>

namespace ado::bench {
namespace {

constexpr std::size_t chunks = 7, worked_on = 1;
constexpr int thread_counts[] = {1, 2, 3, 7};
/// Few elements and their results are one thread's work; from 64 KiB on they are shared.
constexpr std::size_t element_counts[] = {0, 1, 17, 16383, 16384, 20011, 262144, 300007};

template <class T>
class PipelineHost : public testing::Test {
protected:
  static std::vector<T> random(std::size_t count) {
    std::mt19937_64 bits(count);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<T> values(count);
    for (T& value : values)
      value = static_cast<T>(uniform(bits));
    return values;
  }
  /// Both have gaps between rows, and start unaligned.
  static Call call_of(std::size_t elements, std::vector<T>& raw, std::vector<T>& gain,
                      std::vector<T>& result) {
    const std::size_t results = pipeline_results(elements);
    raw = random(1 + chunks * (elements + 3));
    gain = random(chunks);
    result = random(1 + chunks * (results + 5));
    const auto array = [](T* data, std::size_t columns, std::size_t stride) {
      return Array{data, {chunks, columns, 1}, {stride, 1, 1}};
    };
    return {.type = sizeof(T) == 4 ? Type::f32 : Type::f64,
            .shape = {chunks, elements, 1},
            .arrays = {array(raw.data() + 1, elements, elements + 3), array(gain.data(), 1, 1),
                       array(result.data() + 1, results, results + 5)},
            .queue = {}};
  }
  /// Memory aligned to 64 bytes.
  using Aligned = std::unique_ptr<T[], void (*)(T*)>;
  static Aligned aligned(std::size_t count) {
    constexpr std::align_val_t boundary{64};
    return {static_cast<T*>(::operator new[](count * sizeof(T), boundary)),
            [](T* memory) { ::operator delete[](memory, boundary); }};
  }
  /// A call with this number of threads and with slots for a device's turns.
  Call call_with_slots(std::size_t elements, int threads) {
    Call call = call_of(elements, raw_, gain_, result_);
    call.queue.threads = threads;
    slots_ = aligned(pipeline_slot_bytes(call.shape, call.type, pipeline_slots) / sizeof(T));
    call.staging = slots_.get();
    return call;
  }
  /// Counts the elements of a chunk that are not prepared in its slot.
  static std::size_t unprepared(const Call& call, std::size_t chunk) {
    const PipelineChunks<T> stream(call);
    const PipelineSlot<T> slot(call.staging, call, chunk % pipeline_slots);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < stream.elements; ++k)
      wrong += slot.prepared[k] != stream.raw_of(chunk)[k] * stream.gain[chunk];
    return wrong;
  }
  std::vector<T> raw_, gain_, result_;
  Aligned slots_{nullptr, [](T*) {}};
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PipelineHost, Reals);

TYPED_TEST(PipelineHost, PreparesEachElementOfAChunk) {
  using T = TypeParam;
  for (const std::size_t elements : element_counts)
    for (const int threads : thread_counts)
      for (const Reader reader : {Reader::core, Reader::copy_engine}) {
        const PipelineChunks<T> stream(
            this->call_of(elements, this->raw_, this->gain_, this->result_));
        constexpr std::size_t border = 64 / sizeof(T); // keeps the inside aligned
        const std::size_t count = elements + 2 * border;
        const auto memory = this->aligned(count);
        const std::vector<T> before = this->random(count);
        std::copy(before.begin(), before.end(), memory.get());
        prepare_chunk(stream, worked_on, memory.get() + border, threads, reader);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < count; ++k) {
          const bool inside = k >= border && k < border + elements;
          wrong +=
              memory[k] !=
              (inside ? stream.raw_of(worked_on)[k - border] * stream.gain[worked_on] : before[k]);
        }
        EXPECT_EQ(wrong, 0u) << elements << " elements, " << threads << " threads, reader "
                             << static_cast<int>(reader);
      }
}

TYPED_TEST(PipelineHost, StoresTheResultsOfAChunkInTheirRow) {
  using T = TypeParam;
  for (const std::size_t elements : element_counts)
    for (const int threads : thread_counts) {
      const Call call = this->call_of(elements, this->raw_, this->gain_, this->result_);
      const PipelineChunks<T> stream(call);
      std::vector<T> expected = this->result_;
      const std::vector<T> from = this->random(stream.results + 1);
      std::copy_n(from.begin(), stream.results,
                  expected.begin() + (stream.result_of(worked_on) - this->result_.data()));
      store_results(stream, worked_on, from.data(), threads);
      EXPECT_EQ(this->result_, expected) << elements << " elements, " << threads << " threads";
    }
}

// The device is a loop. It works as soon as a chunk is handed over, or only when its results are
// awaited; until then its slot must not change. It returns the first element of each group.
TYPED_TEST(PipelineHost, TakesTurnsBesideADevice) {
  using T = TypeParam;
  for (const bool at_once : {true, false})
    for (const std::size_t elements : element_counts)
      for (const int threads : thread_counts) {
        const Call call = this->call_with_slots(elements, threads);
        const PipelineChunks<T> stream(call);
        std::vector<T> expected = this->result_;
        std::size_t wrong = 0, seen = 0;
        for (std::size_t turn = 0; turn < pipeline_turns(chunks); ++turn)
          take_turn<T>(call, turn, [&] {
            const auto chunk = pipeline_chunk(turn, at_once ? 1 : pipeline_slots - 1, chunks);
            if (!chunk) return;
            const PipelineSlot<T> slot(call.staging, call, *chunk % pipeline_slots);
            wrong += this->unprepared(call, *chunk);
            for (std::size_t j = 0; j < stream.results; ++j) {
              slot.results[j] = slot.prepared[j * pipeline_group];
              expected[stream.result_of(*chunk) - this->result_.data() + j] = slot.results[j];
            }
            ++seen;
          });
        EXPECT_EQ(seen, chunks);
        EXPECT_EQ(wrong, 0u) << elements << " elements, " << threads << " threads, " << at_once;
        EXPECT_EQ(this->result_, expected)
            << elements << " elements, " << threads << " threads, " << at_once;
      }
}

TYPED_TEST(PipelineHost, ATurnEndsBeforeItThrowsWhatTheDeviceDoes) {
  for (const int threads : thread_counts) {
    const Call call = this->call_with_slots(300007, threads);
    EXPECT_THROW(take_turn<TypeParam>(call, 1, [] { throw OutOfMemory("planted", 8); }),
                 OutOfMemory);
    EXPECT_EQ(this->unprepared(call, 1), 0u) << threads << " threads";
  }
}

/// A recorder without memory for a chunk's begin.
struct FullRecorder : StageRecorder {
  void begin(Stage, std::size_t, void*) override { throw OutOfMemory("planted", 8); }
  void end(Stage, std::size_t, void*) override {}
};

TYPED_TEST(PipelineHost, ATurnThrowsWhatItsRecorderDoes) {
  for (const int threads : thread_counts) {
    Call call = this->call_with_slots(300007, threads);
    FullRecorder recorder;
    call.stages = &recorder;
    EXPECT_THROW(take_turn<TypeParam>(call, 0, [] {}), OutOfMemory);
  }
}

} // namespace
} // namespace ado::bench
