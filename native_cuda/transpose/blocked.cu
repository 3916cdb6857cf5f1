// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, blocked: b[j][i] = a[i][j]
//   mapping   thread = a patch of a whose rows are 16 bytes long (4 x 4 elements of 4 bytes; 2 x 2
//             of 16); block = 8 x 32 patches, in the order in which blocks lie in b; lane = patches
//             below each other fastest, so that the 8 x 4 lanes of a warp read 64 bytes of a row of
//             a together and write 128 of a row of b
//   scratch   none; a patch is transposed in registers
//   bytes     reads a once, writes b once
//   needs     elements of 1, 2, 4, 8 or 16 bytes; 16-byte accesses where the rows of both matrices
//             start on 16-byte boundaries, elsewhere an element at a time
//   teaches   against `flat` and `flat_write`: with several elements a thread both sides use whole
//             sectors of 32 bytes, and a thread has several loads in flight. Registers bound the
//             patch, so what lies together stays short; `tiled` has a place for longer rows
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/transpose/accesses.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/transpose/words.hpp>

namespace ado::bench::native {
namespace {

constexpr unsigned patches_down = 8, patches_across = 32; ///< of a block
template <class Word>
constexpr int side = sizeof(Word) == 16 ? 2 : pack_size<Word>; ///< of a patch

/// `pack_size` elements, by one access or one by one.
template <bool wide, class Word>
__device__ Pack<Word> load(const Word* from) {
  if constexpr (wide) {
    return load_pack(from);
  } else {
    Pack<Word> pack;
#pragma unroll
    for (int k = 0; k < pack_size<Word>; ++k)
      pack.value[k] = from[k];
    return pack;
  }
}
template <bool wide, class Word>
__device__ void store(Word* to, const Pack<Word>& pack) {
  if constexpr (wide) {
    store_pack(to, pack);
  } else {
#pragma unroll
    for (int k = 0; k < pack_size<Word>; ++k)
      to[k] = pack.value[k];
  }
}

template <bool wide, class Word>
__global__ __launch_bounds__(patches_down* patches_across) void transpose_blocked(
    std::size_t rows, std::size_t columns, const Word* __restrict__ a, std::size_t lda,
    Word* __restrict__ b, std::size_t ldb) {
  constexpr int s = side<Word>, n = pack_size<Word>;
  constexpr unsigned block_rows = patches_down * s, block_columns = patches_across * s;
  const unsigned down = static_cast<unsigned>((rows + block_rows - 1) / block_rows);
  const std::size_t i =
      std::size_t{blockIdx.x % down} * block_rows + threadIdx.x % patches_down * s;
  const std::size_t j =
      std::size_t{blockIdx.x / down} * block_columns + threadIdx.x / patches_down * s;
  if (i + s > rows || j + s > columns) { // a patch of which only a part lies in a
    for (std::size_t c = j; c < min(j + s, columns); ++c)
      for (std::size_t r = i; r < min(i + s, rows); ++r)
        b[c * ldb + r] = a[r * lda + c];
    return;
  }
  Pack<Word> in[s][s / n];
#pragma unroll
  for (int r = 0; r < s; ++r)
#pragma unroll
    for (int p = 0; p < s / n; ++p)
      in[r][p] = load<wide>(a + (i + r) * lda + j + p * n);
#pragma unroll
  for (int c = 0; c < s; ++c)
#pragma unroll
    for (int p = 0; p < s / n; ++p) {
      Pack<Word> out;
#pragma unroll
      for (int k = 0; k < n; ++k)
        out.value[k] = in[p * n + k][c / n].value[c % n];
      store<wide>(b + (j + c) * ldb + i + p * n, out);
    }
}

struct TransposeBlocked {
  static constexpr std::string_view algorithm = "transpose", name = "blocked";
  static constexpr std::string_view summary =
      "several elements a thread, transposed in registers: whole sectors on both sides";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::blocked(s, type);
  }
  static void run(const Call& call, cudaStream_t stream) {
    with_words(call, [&]<class Word>(const Matrices<Word>& m) {
      const bool wide = is_wide(m.a, m.lda * sizeof(Word)) && is_wide(m.b, m.ldb * sizeof(Word));
      const std::size_t blocks = ceil_div(m.rows, patches_down * side<Word>) *
                                 ceil_div(m.columns, patches_across * side<Word>);
      launch("transpose_blocked",
             wide ? transpose_blocked<true, Word> : transpose_blocked<false, Word>, blocks,
             patches_down * patches_across, 0, stream, m.rows, m.columns, m.a, m.lda, m.b, m.ldb);
    });
  }
};
const CudaVariant<TransposeBlocked> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
