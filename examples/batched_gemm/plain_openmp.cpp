// batched_gemm, openmp, plain: the loops of the formula
//   mapping   threads share matrices; one element at a time, down a column of x
//   bytes     reads a and x once from memory, writes c once
//   teaches   the loop order that the formula suggests does not vectorize
#include "gemm.hpp"

namespace bench = ado::bench;

namespace batched_gemm {

struct PlainByHand : GemmVariant {
  static constexpr std::string_view name = "plain", summary = "the loops of the formula";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Batch<T> g(call);
    const std::size_t n = g.order;
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t b = 0; b < g.batch; ++b)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          T sum = 0;
          for (std::size_t l = 0; l < n; ++l)
            sum += g.a[(b * n + i) * n + l] * g.x[(b * n + l) * n + j];
          g.c[(b * n + i) * n + j] = sum;
        }
  }
};
const bench::HostVariant<PlainByHand> registered{__FILE__};

} // namespace batched_gemm
