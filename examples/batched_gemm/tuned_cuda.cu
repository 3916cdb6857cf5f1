// batched_gemm, cuda, tuned: one block per matrix
//   mapping   blocks of 64 threads; each thread computes elements of one column
//   scratch   both matrices in shared memory
//   bytes     reads a and x once from memory, writes c once
//   needs     matrices of at most 32 x 32
//   teaches   against plain: what a block reads many times belongs in shared memory
#include "gemm.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace batched_gemm {

constexpr unsigned threads = 64;

template <class T>
__global__ __launch_bounds__(threads) void tuned(Batch<T> g) {
  extern __shared__ double memory[];
  const unsigned n = g.order, all = n * n;
  const std::size_t first = std::size_t(blockIdx.x) * all;
  T *a = reinterpret_cast<T*>(memory), *x = a + all;
  for (unsigned e = threadIdx.x; e < all; e += threads) {
    a[e] = g.a[first + e];
    x[e] = g.x[first + e];
  }
  __syncthreads();
  for (unsigned e = threadIdx.x; e < all; e += threads) {
    const unsigned i = e / n, j = e - i * n;
    T sum = 0;
    for (unsigned l = 0; l < n; ++l)
      sum += a[i * n + l] * x[l * n + j];
    g.c[first + e] = sum;
  }
}

struct TunedInCuda : GemmVariant {
  static constexpr std::string_view name = "tuned", summary = "a block a matrix, shared memory";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Batch<T> g(call);
    if (g.order > most_order) throw ado::InvalidArgument("tuned: --order is at most 32");
    tuned<<<g.batch, threads, 2 * sizeof(T) * g.order * g.order, stream>>>(g);
  }
};
const bench::CudaVariant<TunedInCuda> registered{__FILE__};

} // namespace batched_gemm
