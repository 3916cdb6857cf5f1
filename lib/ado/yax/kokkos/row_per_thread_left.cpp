// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_thread_left: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   that of row_per_thread, by the same functor (row_per_thread.hpp), over a LayoutLeft
//             View
//   scratch   none but the reduction's own; workspace: a copy of a, R C elements
//   bytes     reads the copy once, x once a row (from cache), y once. The copy is made before the
//             clock starts: a program that wants this layout has a in it from the beginning
//   needs     as much memory again as a takes
//   teaches   against `row_per_thread`: only the layout. With LayoutLeft neighbouring work items
//             read neighbouring elements of a column, one coalesced access of a GPU; on a CPU the
//             same layout makes one thread stride through memory. So a View's default layout
//             follows the execution space. (Reading a row-major a by its columns without a copy
//             would compute with its transpose, right only where a is symmetric)
#include <ado/portable/variant.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/left_copy.hpp>
#include <ado/yax/kokkos/row_per_thread.hpp>
#include <ado/yax/kokkos/views.hpp>

namespace ado::bench {

struct YaxRowPerThreadLeftVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread_left";
  static constexpr std::string_view summary = "row_per_thread over a LayoutLeft copy of a";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread_left(s, type);
  }
  template <class Exec>
  static void prepare(const Exec& exec, const Call& call) {
    yax_make_left_copy(exec, call);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const YaxViews<Exec, T> p(call);
      yax_rows_to_threads("ado::yax[row_per_thread_left]", exec,
                          YaxRowPerThread{p.y, yax_left_copy<Exec, T>(call), p.x},
                          call.arrays[3].as<T>());
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_left_copy_bytes(s, type, "yax[row_per_thread_left]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return yax_row_per_thread_steps(s[0], s[1]);
  }
};
const PortableVariant<YaxRowPerThreadLeftVariant> yax_row_per_thread_left_registered{__FILE__};

} // namespace ado::bench
