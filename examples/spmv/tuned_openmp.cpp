// spmv, openmp, tuned: threads share elements
//   mapping   rows split so that all threads have about as many elements; four sums per row
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against plain: one sum waits for its last addition, four sums wait a quarter as often
#include "spmv.hpp"

#include <omp.h>

namespace bench = ado::bench;

namespace spmv {

template <class T>
void multiply(const Csr<T>& a, std::size_t r) {
  T sum[4] = {};
  std::int32_t k = a.starts[r];
  const std::int32_t end = a.starts[r + 1];
  for (; k + 4 <= end; k += 4)
    for (int j = 0; j < 4; ++j)
      sum[j] += a.values[k + j] * a.x[a.columns[k + j]];
  for (; k < end; ++k)
    sum[0] += a.values[k] * a.x[a.columns[k]];
  a.y[r] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

struct TunedByHand : SpmvVariant {
  static constexpr std::string_view name = "tuned", summary = "threads share elements, four sums";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Csr<T> a(call);
#pragma omp parallel num_threads(call.queue.threads)
    {
      const auto thread = std::size_t(omp_get_thread_num());
      const auto threads = std::size_t(omp_get_num_threads());
      const std::size_t last = a.first_row(thread + 1, threads);
      for (std::size_t r = a.first_row(thread, threads); r < last; ++r)
        multiply(a, r);
    }
  }
};
const bench::HostVariant<TunedByHand> registered{__FILE__};

} // namespace spmv
