// spmv, cuda, plain: one thread per row
//   mapping   blocks of 256 rows
//   bytes     reads row_starts, columns and values from memory, a sector at a time for each thread;
//             writes y once
//   teaches   the lanes of a warp read from 32 rows at a time, so each needs a sector of its own
#include "spmv.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace spmv {

template <class T>
__global__ void plain(Csr<T> a) {
  const std::size_t r = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= a.rows) return;
  T sum = 0;
  for (std::int32_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
    sum += a.values[k] * a.x[a.columns[k]];
  a.y[r] = sum;
}

struct PlainInCuda : SpmvVariant {
  static constexpr std::string_view name = "plain", summary = "a thread a row";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Csr<T> a(call);
    if (a.rows != 0) plain<<<unsigned((a.rows + 255) / 256), 256, 0, stream>>>(a);
  }
};
const bench::CudaVariant<PlainInCuda> registered{__FILE__};

} // namespace spmv
