// stencil, openmp, tuned: the boundary is taken out of the inner loop
//   mapping   threads share rows; SIMD along the inner points of a row, without a branch
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   teaches   against plain: a branch in the inner loop prevents SIMD
#include "stencil.hpp"

#include <algorithm>

namespace bench = ado::bench;

namespace stencil {

struct TunedByHand : StencilVariant {
  static constexpr std::string_view name = "tuned", summary = "no condition in the inner loop";
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
        if (p == 0 || p + 1 == g.planes || r == 0 || r + 1 == g.rows || g.columns < 3) {
          std::copy_n(u, g.columns, w);
          continue;
        }
        w[0] = u[0];
#pragma omp simd
        for (std::size_t c = 1; c < g.columns - 1; ++c)
          w[c] = u[c - 1] + u[c + 1] + u[c - g.columns] + u[c + g.columns] + u[c - plane] +
                 u[c + plane] - 6 * u[c];
        w[g.columns - 1] = u[g.columns - 1];
      }
  }
};
const bench::HostVariant<TunedByHand> registered{__FILE__};

} // namespace stencil
