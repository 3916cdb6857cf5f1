// spmv, cuda, tuned: a block reads elements, not rows
//   mapping   a block of 256 threads takes rows of 2048 to 4096 elements in all, reads them in
//             pieces of 2048, and sums each piece by rows
//   shared    2048 products
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against lanes: what is read in one piece is coalesced however long the rows are, and
//             each thread has 8 loads in flight
#include "spmv.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace spmv {

template <class T>
__global__ __launch_bounds__(team_threads) void tuned(Csr<T> a, unsigned rows) {
  __shared__ T part[piece];
  const unsigned thread = threadIdx.x, lanes = team_threads / rows, lane = thread % lanes;
  const std::size_t first = std::size_t(blockIdx.x) * rows;
  const std::size_t last = first + rows < a.rows ? first + rows : a.rows;
  const std::size_t row = first + thread / lanes;
  const unsigned begin = a.starts[first], end = a.starts[last];
  const unsigned row_begin = row < last ? a.starts[row] : end;
  const unsigned row_end = row < last ? a.starts[row + 1] : end;
  T sum = 0;
  for (unsigned p = begin; p < end; p += piece) {
    T product[in_flight];
#pragma unroll
    for (int j = 0; j < in_flight; ++j) {
      const unsigned k = p + j * team_threads + thread;
      product[j] = k < end ? a.values[k] * a.x[a.columns[k]] : T(0);
    }
    __syncthreads(); // the piece before is summed
#pragma unroll
    for (int j = 0; j < in_flight; ++j)
      part[j * team_threads + thread] = product[j];
    __syncthreads();
    const unsigned stop = row_end < p + piece ? row_end : p + piece;
    for (unsigned k = (row_begin > p ? row_begin : p) + lane; k < stop; k += lanes)
      sum += part[k - p];
  }
  __syncthreads();
  part[thread] = sum;
  for (unsigned step = lanes / 2; step > 0; step /= 2) {
    __syncthreads();
    if (lane < step) part[thread] += part[thread + step];
  }
  if (lane == 0 && row < last) a.y[row] = part[thread];
}

struct TunedInCuda : SpmvVariant {
  static constexpr std::string_view name = "tuned", summary = "blocks share elements";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Csr<T> a(call);
    const unsigned rows = rows_of_a_team(a.rows, a.nonzeros);
    if (a.rows != 0)
      tuned<<<unsigned((a.rows + rows - 1) / rows), team_threads, 0, stream>>>(a, rows);
  }
};
const bench::CudaVariant<TunedInCuda> registered{__FILE__};

} // namespace spmv
