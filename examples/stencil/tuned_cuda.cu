// stencil, cuda, tuned: a thread walks through the planes
//   mapping   blocks of 32 x 8 columns of points, each thread walks through 64 planes
//   bytes     reads u once from memory; neighbours above and below from registers, the others from
//             cache; writes w once
//   teaches   against plain: what the same thread uses again belongs in a register, and the next
//             load is in flight before it is needed
#include "stencil.hpp"
#include <ado/cuda/variant.hpp>

namespace bench = ado::bench;

namespace stencil {

constexpr std::size_t walk = 64; ///< planes per thread

template <class T>
__global__ __launch_bounds__(256) void tuned(Grid<T> g) {
  const std::size_t c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  const std::size_t first = blockIdx.z * walk, plane = g.rows * g.columns;
  if (c >= g.columns || r >= g.rows) return;
  const std::size_t last = first + walk < g.planes ? first + walk : g.planes;
  const bool inside = r != 0 && r + 1 != g.rows && c != 0 && c + 1 != g.columns;
  const T* u = g.u + first * plane + r * g.columns + c;
  T* w = g.w + first * plane + r * g.columns + c;
  T below = first == 0 ? T(0) : *(u - plane), here = *u;
  T above = first + 1 < g.planes ? u[plane] : T(0);
  for (std::size_t p = first; p < last; ++p, u += plane, w += plane) {
    const T next = p + 2 < g.planes ? u[2 * plane] : T(0); // in flight while this plane is computed
    *w = inside && p != 0 && p + 1 != g.planes
             ? u[-1] + u[1] + *(u - g.columns) + u[g.columns] + below + above - 6 * here
             : here;
    below = here;
    here = above;
    above = next;
  }
}

struct TunedInCuda : StencilVariant {
  static constexpr std::string_view name = "tuned", summary = "planes pass through registers";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Grid<T> g(call);
    const dim3 blocks((g.columns + 31) / 32, (g.rows + 7) / 8, (g.planes + walk - 1) / walk);
    tuned<<<blocks, dim3(32, 8), 0, stream>>>(g);
  }
};
const bench::CudaVariant<TunedInCuda> registered{__FILE__};

} // namespace stencil
