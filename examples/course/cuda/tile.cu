// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, cuda, exercise_tile: b[j][i] = a[i][j]. Lesson 4; needs a GPU
//   mapping   block = a tile of 32 x 32 elements; warp = four rows of the tile; lane = an element
//             of the row
//   scratch   the tile, in shared memory
//   bytes     reads a once; writes nothing yet
//   teaches   the hand-written twin of ../tile.cpp. With both solved, the table shows what Kokkos
//             costs here
// Your part: the second half, as in ../tile.cpp.
//   hint 1    __syncthreads() does what team.team_barrier() does in Kokkos
//   hint 2    x is the lane. It runs along a row of a while the tile is filled, and along a row of
//             b afterwards
//   hint 3    then a lane reads tile[x][y + k]: a column, with all its bank conflicts. One element
//             of padding removes them
#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/cuda/variant.hpp>

namespace ado::bench {
namespace {

constexpr int side = 32, threads_down = 8;

template <class E>
__global__ void exercise_tile(std::size_t rows, std::size_t columns, const E* a, std::size_t lda,
                              [[maybe_unused]] E* b, [[maybe_unused]] std::size_t ldb) {
  __shared__ E tile[side][side];
  const std::size_t down = (rows + side - 1) / side; // tiles in a column of tiles
  const std::size_t first_i = blockIdx.x % down * side, first_j = blockIdx.x / down * side;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < side; k += threads_down)
    if (first_i + y + k < rows && first_j + x < columns)
      tile[y + k][x] = a[(first_i + y + k) * lda + first_j + x];
  // yours: begin
  // yours: end
}

struct ExerciseTile {
  static constexpr std::string_view algorithm = "transpose", name = "exercise_tile";
  static constexpr std::string_view summary = "lesson 4: write the tile to b, by hand";
  static constexpr TypeSet types = all_types;

  static void run(const Call& call, cudaStream_t stream) {
    const Array &a = call.arrays[0], &b = call.arrays[1];
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      const auto blocks = static_cast<unsigned>(ceil_div(rows, side) * ceil_div(columns, side));
      exercise_tile<E><<<blocks, dim3(side, threads_down), 0, stream>>>(
          rows, columns, a.as<const E>(), a.stride[0], b.as<E>(), b.stride[0]);
    });
  }
};
const CudaVariant<ExerciseTile> registered{__FILE__};

} // namespace
} // namespace ado::bench
