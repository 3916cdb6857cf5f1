// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, flat: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   one work item of a RangePolicy per set: its means, then its column of y
//   scratch   none; workspace: the N x L means
//   bytes     reads v once, a once per set; on a GPU neighbouring threads read L M elements apart
//   needs     nothing
//   teaches   the loop nest parallel over sets alone: N work items are too few for a GPU, and none
//             of its loads are coalesced. `tuned` spreads the vectors of all sets over all threads
#include <ado/average/call_vectors.hpp>
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/set_means.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class T, class A, class Y>
struct AverageMvFlat {
  VectorsRef<T> v;
  A a;
  Y y;
  T* means;

  KOKKOS_FUNCTION void operator()(std::size_t n) const {
    const std::size_t length = v.length, count = v.count;
    T* const mean = means + n * length;
    for (std::size_t l = 0; l < length; ++l) {
      const T* const vector = v.vector(n, l);
      T sum = 0;
      for (std::size_t m = 0; m < count; ++m)
        sum += vector[m];
      mean[l] = sum / static_cast<T>(count);
    }
    for (std::size_t i = 0; i < length; ++i) {
      T sum = 0;
      for (std::size_t j = 0; j < length; ++j)
        sum += a(i, j) * mean[j];
      y(i, n) = sum;
    }
  }
};

struct AverageMvFlatVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "flat";
  static constexpr std::string_view summary = "one work item a set";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_mv_accesses::set_per_thread(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      const VectorsRef<T> v = vectors_of<T>(call);
      const auto a = view_of<Exec, const T**>(call, 1);
      const auto y = view_of<Exec, T**>(call, 2);
      Kokkos::parallel_for(
          "ado::average_mv[flat]", Range(exec, 0, v.sets),
          AverageMvFlat<T, decltype(a), decltype(y)>{v, a, y, static_cast<T*>(call.workspace)});
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], s[1], size_of(type)}, "average_mv[flat]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return set_rounding_steps(s[1], s[2], 1, 1);
  }
};
const PortableVariant<AverageMvFlatVariant> average_mv_flat_registered{__FILE__};

} // namespace ado::bench
