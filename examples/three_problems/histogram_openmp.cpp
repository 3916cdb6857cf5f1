// histogram, openmp, plain: counts for each thread
//   mapping   threads share the keys, and each has counts of its own, which are added at the end
//   teaches   no two threads write to one count, so nobody waits
#include "histogram.hpp"

#include <algorithm>

namespace bench = ado::bench;

struct HistogramByHand : HistogramVariant {
  static constexpr std::string_view name = "plain", summary = "counts for each thread";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const Keys k(call);
    std::fill_n(k.counts, bins, 0);
#pragma omp parallel num_threads(call.queue.threads)
    {
      std::int64_t mine[bins]{};
#pragma omp for
      for (std::size_t i = 0; i < k.count; ++i)
        ++mine[k.keys[i]];
#pragma omp critical
      for (std::size_t bin = 0; bin < bins; ++bin)
        k.counts[bin] += mine[bin];
    }
  }
};
const bench::HostVariant<HistogramByHand> registered{__FILE__};
