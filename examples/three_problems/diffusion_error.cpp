// diffusion, openmp, one_buffer: wrong on purpose
//   teaches   what the instrument says if a step reads what it has just written
#include "diffusion.hpp"

namespace bench = ado::bench;

namespace diffusion {

struct DiffusionInPlace : DiffusionVariant {
  static constexpr std::string_view name = "one_buffer", summary = "reads what it wrote: wrong";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const std::size_t rows = call.shape[0], cols = call.shape[1];
    const bench::Array &u = call.arrays[0], &b = call.arrays[1];
    const Grid<T> start{u.as<T>(), u.stride[0]}, plate{b.as<T>(), b.stride[0]};
    for (std::size_t step = 0; step < call.shape[2]; ++step)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          plate.at(i, j) = after_a_step(step == 0 ? start : plate, i, j, rows, cols);
  }
};
const bench::HostVariant<DiffusionInPlace> registered{__FILE__};

} // namespace diffusion
