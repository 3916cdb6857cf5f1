// stencil, cuda, plain: one thread per point
//   mapping   blocks of 32 x 8 points of a plane, a 3D grid
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   teaches   the baseline for Kokkos' MDRangePolicy
#include "stencil.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace stencil {

template <class T>
__global__ void plain(Grid<T> g) {
  const std::size_t c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  const std::size_t p = blockIdx.z, plane = g.rows * g.columns;
  if (c >= g.columns || r >= g.rows) return;
  const T* u = g.u + p * plane + r * g.columns + c;
  T value = *u;
  if (p != 0 && p + 1 != g.planes && r != 0 && r + 1 != g.rows && c != 0 && c + 1 != g.columns)
    value = u[-1] + u[1] + *(u - g.columns) + u[g.columns] + *(u - plane) + u[plane] - 6 * *u;
  g.w[p * plane + r * g.columns + c] = value;
}

struct PlainInCuda : StencilVariant {
  static constexpr std::string_view name = "plain", summary = "a thread a point";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Grid<T> g(call);
    const dim3 blocks((g.columns + 31) / 32, (g.rows + 7) / 8, g.planes);
    plain<<<blocks, dim3(32, 8), 0, stream>>>(g);
  }
};
const bench::CudaVariant<PlainInCuda> registered{__FILE__};

} // namespace stencil
