// diffusion, openmp, plain: two buffers in turn
//   mapping   threads share the rows
//   bytes     reads and writes the plate in each step
#include "diffusion.hpp"

namespace bench = ado::bench;

namespace diffusion {

struct DiffusionByHand : DiffusionVariant {
  static constexpr std::string_view name = "plain", summary = "two buffers in turn";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const std::size_t rows = call.shape[0], cols = call.shape[1];
    for_each_step<T>(call, [&](const Grid<T>& from, const Grid<T>& to) {
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          to.at(i, j) = after_a_step(from, i, j, rows, cols);
    });
  }
};
const bench::HostVariant<DiffusionByHand> registered{__FILE__};

} // namespace diffusion
