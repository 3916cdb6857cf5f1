// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_thread: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   one work item of a RangePolicy reduction a row; it walks the row alone
//   scratch   none but the reduction's own
//   bytes     reads a once, x once a row; on a GPU neighbouring threads read a whole row apart, so
//             a 32-byte sector is fetched for each element until the cache helps
//   needs     nothing
//   teaches   the flat loop nest: one parallel_reduce over rows. Right everywhere, and fast where a
//             thread reads whole cache lines by itself; `team` puts lanes side by side in the row
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado {

template <class Y, class A, class X>
struct YaxRowPerThread {
  Y y;
  A a;
  X x;
  using T = typename A::non_const_value_type;

  KOKKOS_FUNCTION void operator()(std::size_t i, T& result) const {
    T dot = 0;
    for (std::size_t j = 0; j < a.extent(1); ++j)
      dot += a(i, j) * x(j);
    result += y(i) * dot;
  }
};

struct YaxRowPerThreadVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread";
  static constexpr std::string_view summary = "one work item a row";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      using Scalar =
          Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      const auto y = view_of<Exec, const T*>(call, 0);
      const auto a = view_of<Exec, const T**>(call, 1);
      const auto x = view_of<Exec, const T*>(call, 2);
      // Into a View, not a host scalar: the call stays asynchronous.
      Kokkos::parallel_reduce(
          "ado::yax[row_per_thread]", Range(exec, 0, a.extent(0)),
          YaxRowPerThread<decltype(y), decltype(a), decltype(x)>{y, a, x},
          Kokkos::Sum<T, typename Exec::memory_space>(Scalar(call.arrays[3].as<T>())));
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    // A row is a chain; how rows meet is Kokkos' choice, so any order of R terms is allowed for.
    return double(s[1]) + 1 + double(s[0]) + 1;
  }
};
const PortableVariant<YaxRowPerThreadVariant> yax_row_per_thread_registered{__FILE__};

} // namespace ado
