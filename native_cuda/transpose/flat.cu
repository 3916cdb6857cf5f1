// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, flat: b[j][i] = a[i][j]
//   mapping   block = 2 rows x 32 columns of a, in the order in which blocks lie in b; thread =
//             one element, lane = column
//   scratch   none
//   bytes     reads a once, coalesced; writes b once in principle, but the lanes of a warp write a
//             row of b apart, so each store touches 32 sectors for 32 elements
//   needs     elements of 1, 2, 4, 8 or 16 bytes, any leading dimension
//   teaches   the first honest kernel: what scattered writes cost when nothing else is wrong
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/transpose/accesses.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/transpose/words.hpp>

namespace ado::bench::native {
namespace {

// Neighbouring blocks write neighbouring bytes, which meet in L2 before they go to memory
// (docs/lab/constants.md#transpose).
constexpr unsigned block_rows = 2, block_columns = 32;

template <class Word>
__global__ __launch_bounds__(block_rows* block_columns) void transpose_flat(
    std::size_t rows, std::size_t columns, const Word* a, std::size_t lda, Word* b,
    std::size_t ldb) {
  const unsigned down = static_cast<unsigned>((rows + block_rows - 1) / block_rows);
  const std::size_t i = std::size_t{blockIdx.x % down} * block_rows + threadIdx.x / block_columns;
  const std::size_t j =
      std::size_t{blockIdx.x / down} * block_columns + threadIdx.x % block_columns;
  if (i < rows && j < columns) b[j * ldb + i] = a[i * lda + j];
}

struct TransposeFlat {
  static constexpr std::string_view algorithm = "transpose", name = "flat";
  static constexpr std::string_view summary =
      "a thread an element: coalesced reads, scattered writes";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat(s, type, 16);
  }
  static void run(const Call& call, cudaStream_t stream) {
    with_words(call, [&]<class Word>(const Matrices<Word>& m) {
      launch("transpose_flat", transpose_flat<Word>,
             ceil_div(m.rows, block_rows) * ceil_div(m.columns, block_columns),
             block_rows * block_columns, 0, stream, m.rows, m.columns, m.a, m.lda, m.b, m.ldb);
    });
  }
};
const CudaVariant<TransposeFlat> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
