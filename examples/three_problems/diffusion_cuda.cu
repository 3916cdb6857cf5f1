// diffusion, cuda, plain: a kernel for each step, two buffers in turn
//   mapping   blocks of 8 x 32 elements, a thread for each
//   bytes     reads and writes the plate in each step
#include "diffusion.hpp"
#include <ado/cuda/variant.hpp>

namespace diffusion {

namespace bench = ado::bench;

template <class T>
__global__ void step_kernel(Grid<T> from, Grid<T> to, std::size_t rows, std::size_t cols) {
  const std::size_t i = std::size_t(blockIdx.y) * 8 + threadIdx.y;
  const std::size_t j = std::size_t(blockIdx.x) * 32 + threadIdx.x;
  if (i < rows && j < cols) to.at(i, j) = after_a_step(from, i, j, rows, cols);
}

struct DiffusionInCuda : DiffusionVariant {
  static constexpr std::string_view name = "plain", summary = "two buffers in turn";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const std::size_t rows = call.shape[0], cols = call.shape[1];
    const dim3 blocks(unsigned(cols / 32 + 1), unsigned(rows / 8 + 1));
    for_each_step<T>(call, [&](const Grid<T>& from, const Grid<T>& to) {
      step_kernel<<<blocks, dim3(32, 8), 0, stream>>>(from, to, rows, cols);
    });
  }
};
const bench::CudaVariant<DiffusionInCuda> registered{__FILE__};

} // namespace diffusion
