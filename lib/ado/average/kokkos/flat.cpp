// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, flat: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   one work item of a RangePolicy per vector of v; it walks along m alone
//   scratch   none
//   bytes     reads v once, writes mean once; on a GPU neighbouring threads read M elements apart,
//             so a 32-byte sector is fetched for each element until the cache helps
//   needs     nothing
//   teaches   the loop nest as it stands: right everywhere, fast only where one thread reads a
//             whole cache line by itself. `tuned` puts lanes side by side in m
#include <ado/average/accesses.hpp>
#include <ado/average/call_vectors.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class T, class Mean>
struct AverageFlat {
  VectorsRef<T> v;
  Mean mean;

  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    const std::size_t n = row / v.length, l = row % v.length;
    const T* const vector = v.vector(n, l);
    T sum = 0;
    for (std::size_t m = 0; m < v.count; ++m)
      sum += vector[m];
    mean(n, l) = sum / static_cast<T>(v.count);
  }
};

struct AverageFlatVariant {
  static constexpr std::string_view algorithm = "average", name = "flat";
  static constexpr std::string_view summary = "one work item a vector";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_per_thread(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      const VectorsRef<T> v = vectors_of<T>(call);
      const auto mean = view_of<Exec, T**>(call, 1);
      Kokkos::parallel_for("ado::average[flat]", Range(exec, 0, v.sets * v.length),
                           AverageFlat<T, decltype(mean)>{v, mean});
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& shape, Type) {
    return double(shape[2]) + 1; // a chain of M additions, one division
  }
};
const PortableVariant<AverageFlatVariant> average_flat_registered{__FILE__};

} // namespace ado::bench
