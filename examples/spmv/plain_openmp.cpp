// spmv, openmp, plain: the loops of the formula
//   mapping   threads share rows, in equal blocks
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   what a compiler makes of a gather, and what uneven rows cost
#include "spmv.hpp"

namespace bench = ado::bench;

namespace spmv {

struct PlainByHand : SpmvVariant {
  static constexpr std::string_view name = "plain", summary = "the loops of the formula";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Csr<T> a(call);
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
    for (std::size_t r = 0; r < a.rows; ++r) {
      T sum = 0;
      for (std::int32_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
        sum += a.values[k] * a.x[a.columns[k]];
      a.y[r] = sum;
    }
  }
};
const bench::HostVariant<PlainByHand> registered{__FILE__};

} // namespace spmv
