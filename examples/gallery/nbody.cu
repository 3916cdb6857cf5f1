// nbody, cuda, plain and tiled: a thread for each body
//   mapping   plain reads all bodies through the caches; tiled: a block copies 256 bodies at a time
//             into shared memory (L. Nyland, M. Harris, J. Prins, GPU Gems 3, 2007)
//   bytes     reads each body once from memory
#include "nbody.hpp"
#include <ado/cuda/variant.hpp>

namespace nbody {

constexpr unsigned block = 256;

inline unsigned blocks(std::size_t n) { return unsigned((n + block - 1) / block); }

template <class T>
__global__ void plain_kernel(Bodies<T> bodies) {
  const std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x;
  if (i < bodies.n) bodies.compute(i);
}

struct PlainInCuda : Names {
  static constexpr std::string_view name = "plain", summary = "a thread for each body";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Bodies<T> bodies(call);
    if (bodies.n != 0) plain_kernel<<<blocks(bodies.n), block, 0, stream>>>(bodies);
  }
};
const bench::CudaVariant<PlainInCuda> plain{__FILE__};

template <class T>
__global__ __launch_bounds__(block) void tiled_kernel(Bodies<T> bodies) {
  __shared__ Body<T> tile[block];
  const std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x;
  const Vec<T> here = i < bodies.n ? bodies.bodies[i].place : Vec<T>{};
  Vec<T> sum{};
  for (std::size_t first = 0; first < bodies.n; first += block) {
    if (first + threadIdx.x < bodies.n) tile[threadIdx.x] = bodies.bodies[first + threadIdx.x];
    __syncthreads();
    const unsigned count = bodies.n - first < block ? unsigned(bodies.n - first) : block;
#pragma unroll 8
    for (unsigned k = 0; k < count; ++k)
      add(sum, pull(here, tile[k].place, tile[k].mass));
    __syncthreads();
  }
  if (i < bodies.n) bodies.set(i, sum);
}

struct Tiled : Names {
  static constexpr std::string_view name = "tiled", summary = "256 bodies in shared memory";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Bodies<T> bodies(call);
    if (bodies.n != 0) tiled_kernel<<<blocks(bodies.n), block, 0, stream>>>(bodies);
  }
};
const bench::CudaVariant<Tiled> tiled{__FILE__};

} // namespace nbody
