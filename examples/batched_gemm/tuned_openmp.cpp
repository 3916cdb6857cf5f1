// batched_gemm, openmp, tuned: two loops swapped
//   mapping   threads share matrices; SIMD along a row of c
//   bytes     reads a and x once from memory, writes c once
//   teaches   against plain: with the column loop innermost, SIMD lanes read neighbours
#include "gemm.hpp"

#include <algorithm>

namespace bench = ado::bench;

namespace batched_gemm {

struct TunedByHand : GemmVariant {
  static constexpr std::string_view name = "tuned", summary = "SIMD along the rows of c";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Batch<T> g(call);
    const std::size_t n = g.order;
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t b = 0; b < g.batch; ++b)
      for (std::size_t i = 0; i < n; ++i) {
        T* c = g.c + (b * n + i) * n;
        std::fill_n(c, n, T(0));
        for (std::size_t l = 0; l < n; ++l) {
          const T factor = g.a[(b * n + i) * n + l];
          const T* x = g.x + (b * n + l) * n;
#pragma omp simd
          for (std::size_t j = 0; j < n; ++j)
            c[j] += factor * x[j];
        }
      }
  }
};
const bench::HostVariant<TunedByHand> registered{__FILE__};

} // namespace batched_gemm
