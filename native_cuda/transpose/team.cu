// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, team: b[j][i] = a[i][j]
//   mapping   block = a tile of a, in the order in which tiles lie in b; thread = patches of up to
//             4 packs of 16 bytes, one below the other, transposed in registers; lane =
//             neighbouring patches of a row of a, then neighbouring packs of a row of b
//   scratch   the tile, 16 or 32 KiB, its packs swizzled: no bank conflicts and no padding, which
//             would spoil 16-byte accesses
//   bytes     reads a once, writes b once
//   needs     rows on 16-byte boundaries on both sides; other matrices, and thin ones, go element
//             by element, still coalesced, through a padded tile of fitting shape
//   teaches   against a padded tile: with an element an access, instructions and not memory are
//             the limit
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/transpose/fixed_tile.cuh>
#include <native_cuda/transpose/transpose.hpp>
#include <native_cuda/transpose/wide_tile.cuh>
#include <native_cuda/transpose/words.hpp>

namespace ado::bench::native {
namespace {

constexpr int max_threads = 256;

/// Shape of the other path: a tile of 2^bits words whose sides follow the matrix
/// (docs/lab/constants.md#transpose).
template <class Word>
constexpr int any_bits = sizeof(Word) == 1 ? 12 : 11;
/// Of small matrices, of which larger tiles would be too few to go round.
constexpr int small_bits = 9;
/// Words between the columns of the tile; an odd number of 4-byte banks where they are long.
template <class Word>
constexpr unsigned any_pitch(unsigned tile_rows) {
  return tile_rows == 1 ? 1 : tile_rows + (sizeof(Word) < 4 ? 4 / sizeof(Word) : 1);
}

/// 6 blocks leave a thread 40 registers; the compiler alone takes more
/// (docs/lab/constants.md#transpose).
template <int bits, class Word>
__global__ __launch_bounds__(max_threads,
                             6) void transpose_any(std::size_t rows, std::size_t columns,
                                                   const Word* __restrict__ a, std::size_t lda,
                                                   Word* __restrict__ b, std::size_t ldb,
                                                   int row_bits, unsigned pitch) {
  extern __shared__ __align__(16) unsigned char scratch[];
  Word* const tile = reinterpret_cast<Word*>(scratch);
  constexpr unsigned words = 1u << bits, each = words / max_threads;
  const int column_bits = bits - row_bits;
  const unsigned tile_rows = 1u << row_bits, tile_columns = 1u << column_bits;

  const Tile at = tile_of_block(rows, columns, tile_rows, tile_columns);

  Word word[each]; // all loads in flight before the first store
#pragma unroll
  for (unsigned k = 0; k < each; ++k) {
    const unsigned e = threadIdx.x + k * max_threads, i = e >> column_bits,
                   j = e & (tile_columns - 1);
    if (i < at.height && j < at.width) word[k] = a[(at.i + i) * lda + at.j + j];
  }
#pragma unroll
  for (unsigned k = 0; k < each; ++k) {
    const unsigned e = threadIdx.x + k * max_threads, i = e >> column_bits,
                   j = e & (tile_columns - 1);
    if (i < at.height && j < at.width) tile[j * pitch + i] = word[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < each; ++k) {
    const unsigned e = threadIdx.x + k * max_threads, j = e >> row_bits, i = e & (tile_rows - 1);
    if (i < at.height && j < at.width) b[(at.j + j) * ldb + at.i + i] = tile[j * pitch + i];
  }
}

/// Smallest exponent, at most `most`, of a power of two that is not below n.
int bits_for(std::size_t n, int most) {
  int bits = 0;
  while (bits < most && (std::size_t{1} << bits) < n)
    ++bits;
  return bits;
}

template <int bits, class Word>
void launch_any(std::size_t rows, std::size_t columns, const Word* a, std::size_t lda, Word* b,
                std::size_t ldb, cudaStream_t stream) {
  // A square tile, or where one side of the matrix is shorter, as much longer on the other.
  int row_bits = bits_for(rows, (bits + 1) / 2);
  const int column_bits = bits_for(columns, bits - row_bits);
  row_bits = bits - column_bits;
  const unsigned tile_rows = 1u << row_bits, pitch = any_pitch<Word>(tile_rows);
  launch("transpose_any", transpose_any<bits, Word>,
         ceil_div(rows, tile_rows) * ceil_div(columns, std::size_t{1} << column_bits), max_threads,
         (std::size_t{pitch} << column_bits) * sizeof(Word), stream, rows, columns, a, lda, b, ldb,
         row_bits, pitch);
}

template <int tile_rows, int tile_columns, int resident_blocks, class Word>
void launch_fixed(std::size_t rows, std::size_t columns, const Word* a, std::size_t lda, Word* b,
                  std::size_t ldb, cudaStream_t stream) {
  constexpr int threads = 2048 / resident_blocks;
  launch("transpose_fixed", transpose_fixed<tile_rows, tile_columns, threads, Word>,
         ceil_div(rows, std::size_t{tile_rows}) * ceil_div(columns, std::size_t{tile_columns}),
         threads, 0, stream, rows, columns, a, lda, b, ldb);
}

/// Launches transpose_wide if enough tiles lie wholly in the matrix. Returns whether it did.
template <template <class> class Shape, class Word>
bool launch_wide(const Matrices<Word>& m, cudaStream_t stream) {
  using W = Wide<Word, Shape<Word>>;
  constexpr std::size_t rows = W::rows, columns = W::columns;
  const TileShift shift = TileShift::of(m, rows, columns);
  const std::size_t tiles =
      ceil_div(m.rows + shift.i, rows) * ceil_div(m.columns + shift.j, columns);
  if (!takes_wide_tiles(m, tiles, rows, columns)) return false;
  launch("transpose_wide", transpose_wide<W>, tiles, W::threads, 0, stream, m.rows, m.columns, m.a,
         m.lda, m.b, m.ldb, shift);
  return true;
}

template <class Word>
void transpose_as(std::size_t rows, std::size_t columns, const Word* a, std::size_t lda, Word* b,
                  std::size_t ldb, cudaStream_t stream) {
  const Matrices<Word> m{rows, columns, a, lda, b, ldb};
  if (is_small(m)) return launch_any<small_bits>(rows, columns, a, lda, b, ldb, stream);
  if constexpr (alignof(Word) == sizeof(Word)) {
    const bool packs = is_wide(a, lda * sizeof(Word)) && is_wide(b, ldb * sizeof(Word));
    if constexpr (sizeof(Word) < 16)
      if (packs && takes_large_tiles(m) && launch_wide<KeepingTile>(m, stream)) return;
    if (packs && launch_wide<SquareTile>(m, stream)) return;
  }
  if constexpr (sizeof(Word) == 4) {
    const FixedTile fits = fixed_tile(m);
    if (fits == FixedTile::small)
      return launch_fixed<64, 16, 8>(rows, columns, a, lda, b, ldb, stream);
    if (fits == FixedTile::large)
      return launch_fixed<128, 32, 4>(rows, columns, a, lda, b, ldb, stream);
  }
  launch_any<any_bits<Word>>(rows, columns, a, lda, b, ldb, stream);
}

} // namespace

void transpose(std::size_t element_bytes, std::size_t rows, std::size_t columns, const void* a,
               std::size_t lda, void* b, std::size_t ldb, cudaStream_t stream) {
  // A row or a column that lies densely on both sides stays as it is.
  if ((rows == 1 && ldb == 1) || (columns == 1 && lda == 1))
    return check(
        cudaMemcpyAsync(b, a, rows * columns * element_bytes, cudaMemcpyDeviceToDevice, stream),
        "transpose: copy");
  const auto addresses = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b);
  with_word(element_bytes, addresses, [&](auto word) {
    using Word = decltype(word);
    transpose_as(rows, columns, static_cast<const Word*>(a), lda, static_cast<Word*>(b), ldb,
                 stream);
  });
}

namespace {

struct TransposeTeam {
  static constexpr std::string_view algorithm = "transpose", name = "team";
  static constexpr std::string_view summary =
      "best: 16-byte accesses on both sides, register transposes, swizzled tile";
  static constexpr TypeSet types = all_types;

  static void run(const Call& call, cudaStream_t stream) {
    const Array &a = call.arrays[0], &b = call.arrays[1];
    transpose(size_of(call.type), call.shape[0], call.shape[1], a.data, a.stride[0], b.data,
              b.stride[0], stream);
  }
};
const CudaVariant<TransposeTeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
