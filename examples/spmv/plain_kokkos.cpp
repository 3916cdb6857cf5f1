// spmv, kokkos, plain: one work item per row
//   mapping   RangePolicy over rows
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   on a GPU the lanes of a warp read from 32 rows at a time, so each needs a sector of
//             its own
#include "spmv.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace spmv {

template <class T>
struct PlainKernel {
  Csr<T> a;
  KOKKOS_FUNCTION void operator()(std::size_t r) const {
    T sum = 0;
    for (std::int32_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
      sum += a.values[k] * a.x[a.columns[k]];
    a.y[r] = sum;
  }
};

struct PlainInKokkos : SpmvVariant {
  static constexpr std::string_view name = "plain", summary = "a work item a row";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Csr<T> a(call);
      using Rows = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for("spmv[plain]", Rows(exec, 0, a.rows), PlainKernel<T>{a});
    });
  }
};
const bench::PortableVariant<PlainInKokkos> registered{__FILE__};

} // namespace spmv
