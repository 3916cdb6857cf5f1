// batched_gemm, kokkos, plain: one work item per element
//   mapping   RangePolicy over all elements of all products
//   bytes     reads a and x from cache many times, writes c once
//   teaches   what the obvious policy costs on CPUs and GPUs
#include "gemm.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace batched_gemm {

template <class T>
struct PlainKernel {
  Batch<T> g;
  KOKKOS_FUNCTION void operator()(std::size_t element) const {
    const unsigned n = g.order;
    const std::size_t row = element / n, j = element - row * n, matrix = row / n;
    const T *a = g.a + row * n, *x = g.x + matrix * n * n + j;
    T sum = 0;
    for (unsigned l = 0; l < n; ++l)
      sum += a[l] * x[l * n];
    g.c[element] = sum;
  }
};

struct PlainInKokkos : GemmVariant {
  static constexpr std::string_view name = "plain", summary = "a work item an element";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Batch<T> g(call);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for("batched_gemm[plain]", Range(exec, 0, g.batch * g.order * g.order),
                           PlainKernel<T>{g});
    });
  }
};
const bench::PortableVariant<PlainInKokkos> registered{__FILE__};

} // namespace batched_gemm
