// scan, kokkos, plain: Kokkos' own scan
//   mapping   RangePolicy over the elements
//   bytes     on a CPU reads a twice, writes b once
#include "scan.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace scan {

template <class T>
struct Scan {
  const T* a;
  T* b;
  KOKKOS_FUNCTION void operator()(std::size_t i, T& sum, bool is_last) const {
    sum += a[i];
    if (is_last) b[i] = sum;
  }
};

struct ScanInKokkos : ScanVariant {
  static constexpr std::string_view name = "plain", summary = "parallel_scan";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    with_unsigned(call.type, [&]<class T>(T) {
      Kokkos::parallel_scan("scan", Elements(exec, 0, call.shape[0]),
                            Scan<T>{call.arrays[0].as<const T>(), call.arrays[1].as<T>()});
    });
  }
};
const bench::PortableVariant<ScanInKokkos> registered{__FILE__};

} // namespace scan
