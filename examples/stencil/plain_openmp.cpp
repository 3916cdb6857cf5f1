// stencil, openmp, plain: the loops that one writes first
//   mapping   threads share rows; SIMD along a row
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   teaches   the baseline for Kokkos' MDRangePolicy
#include "stencil.hpp"

namespace bench = ado::bench;

namespace stencil {

struct PlainByHand : StencilVariant {
  static constexpr std::string_view name = "plain", summary = "three loops, threads share rows";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Grid<T> g(call);
    const std::size_t plane = g.rows * g.columns;
#pragma omp parallel for collapse(2) num_threads(call.queue.threads)
    for (std::size_t p = 0; p < g.planes; ++p)
      for (std::size_t r = 0; r < g.rows; ++r) {
        const T* u = g.u + p * plane + r * g.columns;
        T* w = g.w + p * plane + r * g.columns;
        for (std::size_t c = 0; c < g.columns; ++c)
          if (p == 0 || p + 1 == g.planes || r == 0 || r + 1 == g.rows || c == 0 ||
              c + 1 == g.columns)
            w[c] = u[c];
          else
            w[c] = u[c - 1] + u[c + 1] + u[c - g.columns] + u[c + g.columns] + u[c - plane] +
                   u[c + plane] - 6 * u[c];
      }
  }
};
const bench::HostVariant<PlainByHand> registered{__FILE__};

} // namespace stencil
