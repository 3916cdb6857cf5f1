// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_thread: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   one work item of a RangePolicy reduction per row; it walks along the row alone
//             (row_per_thread.hpp)
//   scratch   none but the reduction's own
//   bytes     reads a once, x once a row; on a GPU neighbouring threads read a whole row apart, so
//             a 32-byte sector is fetched for each element until the cache helps
//   needs     nothing
//   teaches   the loop nest that everybody writes first: one parallel_reduce over rows, a plain
//             loop in it. Right everywhere; `row_per_thread_left` gives it the layout that a GPU
//             wants, `row_per_vector` puts lanes side by side in the row. On a host a thread reads
//             whole cache lines by itself. The compiler multiplies in SIMD registers, but adds one
//             product after another: several sums at once would be another order, which it may not
//             choose without -ffast-math. `tuned` chooses it
#include <ado/portable/variant.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/row_per_thread.hpp>
#include <ado/yax/kokkos/views.hpp>

namespace ado::bench {

struct YaxRowPerThreadVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread";
  static constexpr std::string_view summary = "one work item a row";
  static constexpr std::array cures{Cause::few_teams};
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const YaxViews<Exec, T> p(call);
      yax_rows_to_threads("ado::yax[row_per_thread]", exec, YaxRowPerThread{p.y, p.a, p.x},
                          call.arrays[3].as<T>());
    });
  }
  static double rounding_steps(const Shape& s, Type) {
    return yax_row_per_thread_steps(s[0], s[1]);
  }
};
const PortableVariant<YaxRowPerThreadVariant> yax_row_per_thread_registered{__FILE__};

} // namespace ado::bench
