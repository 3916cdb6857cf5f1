// diffusion, kokkos, plain: a kernel for each step, two buffers in turn
//   mapping   MDRangePolicy over rows and columns
//   bytes     reads and writes the plate in each step
#include "diffusion.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace diffusion {

template <class T>
struct DiffusionStep {
  Grid<T> from, to;
  std::size_t rows, cols;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t j) const {
    to.at(i, j) = after_a_step(from, i, j, rows, cols);
  }
};

struct DiffusionInKokkos : DiffusionVariant {
  static constexpr std::string_view name = "plain", summary = "two buffers in turn";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    const std::size_t rows = call.shape[0], cols = call.shape[1];
    using Plate =
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<std::size_t>>;
    bench::with_real_type(call.type, [&]<class T>(T) {
      for_each_step<T>(call, [&](const Grid<T>& from, const Grid<T>& to) {
        Kokkos::parallel_for("diffusion", Plate(exec, {0, 0}, {rows, cols}),
                             DiffusionStep<T>{from, to, rows, cols});
      });
    });
  }
};
const bench::PortableVariant<DiffusionInKokkos> registered{__FILE__};

} // namespace diffusion
