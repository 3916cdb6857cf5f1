// spmv, openmp, lanes: SIMD lanes share a row
//   mapping   threads share rows, in equal blocks; SIMD along a row
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against plain: SIMD gathers can be slower than no SIMD
#include "spmv.hpp"

namespace bench = ado::bench;

namespace spmv {

struct LanesByHand : SpmvVariant {
  static constexpr std::string_view name = "lanes", summary = "SIMD lanes share a row";
  static constexpr bench::Model model = bench::Model::openmp;

  template <class T>
  static void run(const bench::Call& call) {
    const Csr<T> a(call);
#pragma omp parallel for num_threads(call.queue.threads) schedule(static)
    for (std::size_t r = 0; r < a.rows; ++r) {
      const std::int32_t start = a.starts[r], count = a.starts[r + 1] - start;
      const T *values = a.values + start, *x = a.x;
      const std::int32_t* columns = a.columns + start;
      T sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int32_t k = 0; k < count; ++k)
        sum += values[k] * x[columns[k]];
      a.y[r] = sum;
    }
  }
};
const bench::HostVariant<LanesByHand> registered{__FILE__};

} // namespace spmv
