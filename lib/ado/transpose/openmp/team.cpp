// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, openmp, team: b[j][i] = a[i][j], by hand for CPUs
//   mapping   large matrices: threads share strips of a, a few rows walked along; others: each has
//             a band of columns. Blocks are transposed in AVX2 registers
//   scratch   up to 150 KiB per thread, which it keeps: what waits for the rest of its cache line
//             of b
//   bytes     reads a once, writes b once, bypassing the cache if b is large
//   shares    with `kokkos/tuned` how the shape decides strips and bands (detail/plan_host.hpp);
//             the kernel is its own
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/host/streamed_stores.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/host/variant.hpp>
#include <ado/transpose/detail/plan_host.hpp>
#include <ado/transpose/matrices.hpp>
#include <ado/transpose/openmp/block.hpp>
#include <ado/transpose/openmp/thin.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ado::bench::by_hand {
namespace {

using detail::Matrices;

// --- A matrix that stays in caches: from registers to b ------------------------------------------

/// Transposes a band, some rows at a time, a column of blocks after the other. Meanwhile it
/// prefetches lines of a 256 bytes ahead, a few of the rows at each step, and rows of b four steps
/// ahead: nothing else would bring those before they are stored to. Beyond the band's right end
/// this goes on with the rows below.
template <class E>
void turn_band(const Matrices<E> m, const plan::Part band) {
  constexpr std::size_t line = plan::line<E>, tall = plan::block_rows<E>,
                        wide = plan::block_columns<E>, steps = line / wide;
  const std::size_t most = plan::rows_of_tile(m), end = band.i + band.height,
                    right = band.j + band.width;
  for (std::size_t i = band.i, height; i < end; i += height) {
    height = end - i < most + tall ? end - i : most;
    const std::size_t under = std::min(most, end - i - height);
    for (std::size_t j = band.j, step = 0; j < right; j += wide, step = (step + 1) % steps) {
      std::size_t column = j + 4 * wide, row = i, rows = height;
      if (column >= right) column -= band.width, row += height, rows = under;
      const std::size_t last_column = rows > 0 ? std::min(column + wide, right) : 0;
      for (std::size_t c = column; c < last_column; ++c) {
        const E* const to = m.b + c * m.ldb + row;
        for (std::size_t k = 0; k < rows; k += line)
          __builtin_prefetch(to + k, 1, 3);
        __builtin_prefetch(to + rows - 1, 1, 3);
      }
      column = j + 256 / sizeof(E), row = i, rows = height;
      if (column >= right) column -= band.width, row += height, rows = under;
      const std::size_t last_row = column < right ? row + rows * (step + 1) / steps : 0;
      for (std::size_t k = row + rows * step / steps; k < last_row; ++k)
        __builtin_prefetch(m.a + k * m.lda + column, 0, 3);
      const std::size_t left = std::min(j, right - wide);
      const E* const from = m.a + i * m.lda + left;
      E* const to = m.b + left * m.ldb + i;
      std::size_t k = 0;
#pragma GCC unroll 4
      for (; k + tall <= height; k += tall)
        turn_block(from + k * m.lda, m.lda, to + k, m.ldb);
      if (k < height) turn_block(from + (height - tall) * m.lda, m.lda, to + height - tall, m.ldb);
    }
  }
}

// --- A large matrix: through a buffer, whole cache lines past the cache --------------------------

/// One thread's work on strips.
template <class E>
class Streamer {
  static constexpr std::size_t line = plan::line<E>, columns = plan::turned_columns<E>;
  static constexpr std::size_t slab = plan::slab_rows<E>, pitch = line + slab;
  static constexpr std::size_t piece = plan::piece_columns<E>, parts = piece / columns;

  struct alignas(64) Buffers {
    /// Some columns of a slab; before each the part of a line that the slab above left. (The first
    /// columns: blocks that begin early.)
    E turned[plan::block_columns<E> + columns][pitch];
    E kept[plan::streamed_columns<E>][line]; ///< the last line of each column of the strip
  };

  Matrices<E> m_;
  plan::Way way_;
  Buffers& buffers_ = detail::memory_of_thread<Buffers>();

public:
  Streamer(const Matrices<E>& m, const plan::Way& way) : m_(m), way_(way) {}

  void strip(std::size_t which) {
    const plan::Place first = plan::place_of_strip(m_, way_, which);
    const std::size_t bottom = std::min(first.i + way_.strip_rows, m_.rows);
    const std::size_t right = std::min(first.j + way_.strip_columns, m_.columns);
    if (way_.keeps && first.i > 0)
      turn(m_.a + (first.i - line) * m_.lda + first.j, m_.lda, line, right - first.j,
           buffers_.kept[0], line);
    for (std::size_t i = first.i; i < bottom; i += slab)
      for (std::size_t j = first.j; j < right; j += columns) {
        const plan::Part part{i, j, std::min(slab, bottom - i), std::min(columns, right - j)};
        E(*kept)[line] = buffers_.kept + (j - first.j);
        if (way_.keeps)
          for (std::size_t c = 0; c < part.width; ++c)
            std::memcpy(row(c) - line, kept[c], 64);
        turn(m_.a + i * m_.lda + j, m_.lda, part.height, part.width, row(0), pitch);
        plan::Place next{i, j - j % piece + piece};
        if (next.j >= right) next = {i + slab, first.j};
        if (next.i >= bottom) next = plan::place_of_strip(m_, way_, which + 1);
        store(part, kept, next);
      }
    detail::stream_fence();
  }

private:
  E* row(std::size_t c) { return buffers_.turned[plan::block_columns<E> + c] + line; }

  /// Stores the part, and prefetches meanwhile some rows of the piece at `next`: loads wait behind
  /// streamed stores for the few buffers of a core.
  void store(const plan::Part& part, E (*kept)[line], const plan::Place& next) {
    const std::size_t rows = slab / parts, first = part.j / columns % parts * rows;
    for (std::size_t c = 0, asked = 0; c < part.width; ++c) {
      for (; asked * part.width < (c + 1) * rows; ++asked) {
        const std::size_t i = next.i + first + asked;
        for (std::size_t j = next.j + line - 1; i < m_.rows && j < next.j + piece; j += line)
          __builtin_prefetch(m_.a + i * m_.lda + std::min(j, m_.columns - 1), 0, 2);
      }
      store_row(m_.b + (part.j + c) * m_.ldb + part.i, row(c), part);
      if (way_.keeps && part.i + part.height < m_.rows)
        std::memcpy(kept[c], row(c) + part.height - line, 64);
    }
  }
  /// Streams whole lines, which begin with what the slab above left. Where the row begins and ends
  /// it stores just its bytes.
  void store_row(E* to, const E* from, const plan::Part& part) {
    auto* target = reinterpret_cast<std::byte*>(to);
    auto* source = reinterpret_cast<const std::byte*>(from);
    std::size_t bytes = part.height * sizeof(E);
    const std::size_t behind = reinterpret_cast<std::uintptr_t>(target) % 64;
    if (part.i == 0 && behind > 0) {
      const std::size_t head = std::min(64 - behind, bytes);
      std::memcpy(target, source, head);
      target += head, source += head, bytes -= head;
    } else {
      target -= behind, source -= behind, bytes += behind;
    }
    for (; bytes >= 64; target += 64, source += 64, bytes -= 64)
      detail::stream_line(target, source);
    if (part.i + part.height == m_.rows) std::memcpy(target, source, bytes);
  }
};

template <class E>
void transpose_by_hand(const Matrices<E>& m, int threads) {
  if (m.rows == 0 || m.columns == 0) return;
  const auto count = static_cast<std::size_t>(threads);
  const std::size_t strips = plan::strip_count(m, count);
#pragma omp parallel num_threads(threads)
  if (plan::may_stream(m)) {
    Streamer<E> streamer(m, plan::way_of(m));
#pragma omp for schedule(static)
    for (std::size_t strip = 0; strip < strips; ++strip)
      streamer.strip(strip);
  } else {
    const plan::Bands bands = plan::Bands::of(m, count);
    const bool thin = plan::is_thin(m);
#pragma omp for schedule(static)
    for (std::size_t band = 0; band < strips; ++band)
      thin ? turn_thin(m, bands.part(m, band)) : turn_band(m, bands.part(m, band));
  }
}

struct Team {
  static constexpr std::string_view algorithm = "transpose", name = "team";
  static constexpr std::string_view summary =
      "by hand: blocks in registers, whole lines past the cache";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = all_types;

  static void run(const Call& call) {
    with_matrices(call, [&](const auto& m) { transpose_by_hand(m, call.queue.threads); });
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench::by_hand
