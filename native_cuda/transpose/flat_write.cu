// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, flat_write: b[j][i] = a[i][j]
//   mapping   block = 2 rows x 32 columns of b, in the order in which blocks lie in a; thread =
//             one element, lane = column of b
//   scratch   none
//   bytes     writes b once, coalesced; reads a once in principle, but the lanes of a warp read a
//             column of a, so each load touches 32 sectors for 32 elements
//   needs     elements of 1, 2, 4, 8 or 16 bytes, any leading dimension
//   teaches   against `flat`: the other side is coalesced, the price is paid by reads. Those can be
//             served from a sector that is in L1 or L2 already, where scattered writes each have to
//             go out; a thread that waits for a read, though, waits, and nobody waits for a write
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/transpose/accesses.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/transpose/words.hpp>

namespace ado::bench::native {
namespace {

/// As in `flat`, with the sides changed: of b.
constexpr unsigned block_rows = 2, block_columns = 32;

template <class Word>
__global__ __launch_bounds__(block_rows* block_columns) void transpose_flat_write(
    std::size_t rows, std::size_t columns, const Word* a, std::size_t lda, Word* b,
    std::size_t ldb) {
  // One flat grid: gridDim.y would end at 65535.
  const unsigned down = static_cast<unsigned>((columns + block_rows - 1) / block_rows);
  const std::size_t j = std::size_t{blockIdx.x % down} * block_rows + threadIdx.x / block_columns;
  const std::size_t i =
      std::size_t{blockIdx.x / down} * block_columns + threadIdx.x % block_columns;
  if (i < rows && j < columns) b[j * ldb + i] = a[i * lda + j];
}

struct TransposeFlatWrite {
  static constexpr std::string_view algorithm = "transpose", name = "flat_write";
  static constexpr std::string_view summary =
      "a thread an element: scattered reads, coalesced writes";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat_write(s, type, 16);
  }
  static void run(const Call& call, cudaStream_t stream) {
    with_words(call, [&]<class Word>(const Matrices<Word>& m) {
      launch("transpose_flat_write", transpose_flat_write<Word>,
             ceil_div(m.columns, block_rows) * ceil_div(m.rows, block_columns),
             block_rows * block_columns, 0, stream, m.rows, m.columns, m.a, m.lda, m.b, m.ldb);
    });
  }
};
const CudaVariant<TransposeFlatWrite> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
