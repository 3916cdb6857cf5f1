// spmv, cuda, lanes: lanes of a warp share a row
//   mapping   1 to 32 lanes per row, by the mean length; blocks of 256 threads
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against plain: neighbouring lanes read neighbouring elements
#include "spmv.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace spmv {

template <int lanes, class T>
__global__ __launch_bounds__(256) void lanes_a_row(Csr<T> a) {
  const std::size_t r = (std::size_t(blockIdx.x) * 256 + threadIdx.x) / lanes;
  if (r >= a.rows) return; // all lanes of a row leave together
  const std::int32_t end = a.starts[r + 1];
  T sum = 0;
  for (std::int32_t k = a.starts[r] + std::int32_t(threadIdx.x % lanes); k < end; k += lanes)
    sum += a.values[k] * a.x[a.columns[k]];
  const unsigned members = __activemask();
  for (int step = lanes / 2; step > 0; step /= 2)
    sum += __shfl_xor_sync(members, sum, step, lanes);
  if (threadIdx.x % lanes == 0) a.y[r] = sum;
}

struct LanesInCuda : SpmvVariant {
  static constexpr std::string_view name = "lanes", summary = "lanes share a row";

  template <int lanes, class T>
  static void launch(const Csr<T>& a, cudaStream_t stream) {
    const std::size_t rows = 256 / lanes; // per block
    if (a.rows != 0)
      lanes_a_row<lanes><<<unsigned((a.rows + rows - 1) / rows), 256, 0, stream>>>(a);
  }
  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Csr<T> a(call);
    switch (lanes_of_a_row(a.rows, a.nonzeros)) {
    case 1:
      return launch<1>(a, stream);
    case 2:
      return launch<2>(a, stream);
    case 4:
      return launch<4>(a, stream);
    case 8:
      return launch<8>(a, stream);
    case 16:
      return launch<16>(a, stream);
    default:
      return launch<32>(a, stream);
    }
  }
};
const bench::CudaVariant<LanesInCuda> registered{__FILE__};

} // namespace spmv
