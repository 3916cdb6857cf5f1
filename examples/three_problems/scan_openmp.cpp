// scan, openmp, plain: two passes over a part for each thread
//   mapping   a thread adds up its part, then writes it, beginning with the sum of the parts before
//   bytes     reads a twice, writes b once
//   teaches   a parallel scan needs a second pass, so it reads the input twice
#include "scan.hpp"

#include <algorithm>
#include <numeric>

namespace bench = ado::bench;

namespace scan {

struct ScanByHand : ScanVariant {
  static constexpr std::string_view name = "plain", summary = "two passes";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const auto threads = static_cast<std::size_t>(call.queue.threads);
    const std::size_t n = call.shape[0], part = (n + threads - 1) / threads;
    with_unsigned(call.type, [&]<class T>(T) {
      const T* a = call.arrays[0].as<const T>();
      T* b = call.arrays[1].as<T>();
      std::vector<T> sums(threads + 1);
#pragma omp parallel for num_threads(call.queue.threads)
      for (std::size_t t = 0; t < threads; ++t)
        sums[t + 1] =
            std::accumulate(a + std::min(t * part, n), a + std::min((t + 1) * part, n), T{});
      std::partial_sum(sums.begin(), sums.end(), sums.begin());
#pragma omp parallel for num_threads(call.queue.threads)
      for (std::size_t t = 0; t < threads; ++t) {
        T sum = sums[t];
        for (std::size_t i = t * part; i < std::min((t + 1) * part, n); ++i)
          b[i] = sum += a[i];
      }
    });
  }
};
const bench::HostVariant<ScanByHand> registered{__FILE__};

} // namespace scan
