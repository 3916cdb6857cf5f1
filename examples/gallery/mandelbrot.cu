// mandelbrot, cuda, plain: a thread for each point
//   mapping   blocks of 8 x 32 points, so that the points of a warp are neighbours in a row
//   bytes     writes the picture once
#include "mandelbrot.hpp"
#include <ado/cuda/variant.hpp>

namespace mandelbrot {

__global__ void kernel(Picture picture) {
  const std::size_t i = std::size_t(blockIdx.y) * 8 + threadIdx.y;
  const std::size_t j = std::size_t(blockIdx.x) * 32 + threadIdx.x;
  if (i < picture.rows && j < picture.cols) picture.compute(i, j);
}

struct InCuda : Names {
  static constexpr std::string_view summary = "a thread for each point";

  static void run(const bench::Call& call, cudaStream_t stream) {
    const Picture picture(call.arrays[0], call.shape[2]);
    const dim3 blocks(unsigned(picture.cols / 32 + 1), unsigned(picture.rows / 8 + 1));
    kernel<<<blocks, dim3(32, 8), 0, stream>>>(picture);
  }
};
const bench::CudaVariant<InCuda> registered{__FILE__};

} // namespace mandelbrot
