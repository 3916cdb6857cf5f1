// batched_gemm, cuda, plain: one thread per element
//   mapping   blocks of 256 threads over all elements of all products
//   bytes     reads a and x from cache many times, writes c once
//   teaches   the baseline for Kokkos' RangePolicy
#include "gemm.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace batched_gemm {

template <class T>
__global__ void plain(Batch<T> g) {
  const unsigned n = g.order;
  const std::size_t element = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (element >= g.batch * n * n) return;
  const std::size_t row = element / n, j = element - row * n, matrix = row / n;
  const T *a = g.a + row * n, *x = g.x + matrix * n * n + j;
  T sum = 0;
  for (unsigned l = 0; l < n; ++l)
    sum += a[l] * x[l * n];
  g.c[element] = sum;
}

struct PlainInCuda : GemmVariant {
  static constexpr std::string_view name = "plain", summary = "a thread an element";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Batch<T> g(call);
    plain<<<(g.batch * g.order * g.order + 255) / 256, 256, 0, stream>>>(g);
  }
};
const bench::CudaVariant<PlainInCuda> registered{__FILE__};

} // namespace batched_gemm
