// histogram, openmp, plain and own_counts
//   mapping   threads share the keys; plain: an atomic addition for each key; own_counts: each has
//             counts of its own, which are added at the end
//   teaches   if no two threads write to one count, nobody waits
#include "histogram.hpp"

#include <algorithm>

namespace bench = ado::bench;

namespace histogram {

struct HistogramByHand : HistogramVariant {
  static constexpr std::string_view name = "plain", summary = "an atomic addition a key";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    const Keys k(call);
    std::fill_n(k.counts, bins, 0);
#pragma omp parallel for num_threads(call.queue.threads)
    for (std::size_t i = 0; i < k.count; ++i)
#pragma omp atomic
      ++k.counts[k.keys[i]];
  }
};
const bench::HostVariant<HistogramByHand> plain{__FILE__};

struct OwnCountsByHand : HistogramVariant {
  static constexpr std::string_view name = "own_counts", summary = "counts for each thread";
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
const bench::HostVariant<OwnCountsByHand> own_counts{__FILE__};

} // namespace histogram
