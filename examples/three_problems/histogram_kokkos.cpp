// histogram, kokkos, plain: an atomic addition for each key
//   mapping   RangePolicy over the keys
//   teaches   where many write to few places, they wait for each other
#include "histogram.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

struct CountKey {
  Keys k;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { Kokkos::atomic_inc(k.counts + k.keys[i]); }
};
struct ClearCounts {
  Keys k;
  KOKKOS_FUNCTION void operator()(std::size_t bin) const { k.counts[bin] = 0; }
};

struct HistogramInKokkos : HistogramVariant {
  static constexpr std::string_view name = "plain", summary = "an atomic addition a key";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    const Keys k(call);
    using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    Kokkos::parallel_for("histogram, clear", Range(exec, 0, bins), ClearCounts{k});
    Kokkos::parallel_for("histogram", Range(exec, 0, k.count), CountKey{k});
  }
};
const bench::PortableVariant<HistogramInKokkos> registered{__FILE__};
