// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_thread_batched: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   that of row_per_thread_left, a work item a row of a LayoutLeft copy of a. Each asks
//             for 16 elements of its row before it uses the first
//   scratch   none but the reduction's own; workspace: a copy of a, R C elements, made before the
//             clock starts
//   bytes     reads the copy once, x once a row (from cache), y once
//   needs     as much memory again as a takes
//   teaches   against `row_per_thread_left`: one thread per row means few threads, so each needs
//             many loads in flight. Sixteen, each with an address of its own, take 96 registers;
//             nvcc stops at 40 to keep room for blocks that never come, until LaunchBounds<256, 1>
//             says that one block has the multiprocessor for itself. On a host nothing is gained: a
//             core looks ahead by itself, and waits for the chain of additions, whose order stays
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/left_copy.hpp>
#include <ado/yax/kokkos/row_per_thread.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Y, class A, class X>
struct YaxRowPerThreadBatched {
  Y y;
  A a;
  X x;
  using T = typename A::non_const_value_type;

  KOKKOS_FUNCTION void operator()(std::size_t i, T& result) const {
    T dot = 0;
    constexpr std::size_t together = 16;
    std::size_t j = 0;
    for (; j + together <= a.extent(1); j += together) {
      T of_a[together];
      ADO_UNROLL
      for (std::size_t k = 0; k < together; ++k)
        of_a[k] = a(i, j + k);
      ADO_UNROLL
      for (std::size_t k = 0; k < together; ++k)
        dot += of_a[k] * x(j + k);
    }
    for (; j < a.extent(1); ++j)
      dot += a(i, j) * x(j);
    result += y(i) * dot;
  }
};
template <class Y, class A, class X>
YaxRowPerThreadBatched(Y, A, X) -> YaxRowPerThreadBatched<Y, A, X>; // clang before 17 asks for it

struct YaxRowPerThreadBatchedVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread_batched";
  static constexpr std::string_view summary = "row_per_thread_left with 16 loads in flight";
  static constexpr std::array cures{Cause::few_bytes};
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
      yax_rows_to_threads<Kokkos::LaunchBounds<256, 1>>(
          "ado::yax[row_per_thread_batched]", exec,
          YaxRowPerThreadBatched{p.y, yax_left_copy<Exec, T>(call), p.x}, call.arrays[3].as<T>());
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_left_copy_bytes(s, type, "yax[row_per_thread_batched]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return yax_row_per_thread_steps(s[0], s[1]);
  }
};
const PortableVariant<YaxRowPerThreadBatchedVariant> yax_row_per_thread_batched_registered{
    __FILE__};

} // namespace ado::bench
