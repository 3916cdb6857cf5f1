// histogram, openmp, kept: wrong on purpose
//   teaches   what the instrument says of counts that are computed once and given again
#include "histogram.hpp"

#include <algorithm>
#include <map>

namespace bench = ado::bench;

namespace histogram {

struct KeptHistogram : HistogramVariant {
  static constexpr std::string_view name = "kept", summary = "counts once for these arrays: wrong";
  static constexpr bench::Model model = bench::Model::openmp;

  static void run(const bench::Call& call) {
    static std::map<const void*, std::vector<std::int64_t>> known;
    const Keys k(call);
    std::vector<std::int64_t>& counts = known[k.keys];
    if (counts.empty()) {
      counts.resize(bins);
      for (std::size_t i = 0; i < k.count; ++i)
        ++counts[static_cast<std::size_t>(k.keys[i])];
    }
    std::copy(counts.begin(), counts.end(), k.counts);
  }
};
const bench::HostVariant<KeptHistogram> registered{__FILE__};

} // namespace histogram
