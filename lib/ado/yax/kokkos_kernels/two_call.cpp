// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos_kernels, two_call: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   KokkosBlas::gemv for a x, then KokkosBlas::dot with y
//   scratch   the libraries' own; workspace: a x, one number per row
//   bytes     reads a, x and y once, writes and reads a x in between
//   needs     Kokkos Kernels
//   teaches   the yardstick: what two library calls give. They may pass the work to a vendor's
//             BLAS. They cannot know that the result of the first is used only once
#include <ado/core/checks.hpp>
#include <ado/host/openblas.hpp>
#include <ado/portable/variant.hpp>

#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas2_gemv.hpp>
#include <Kokkos_Core.hpp>

#include <utility>

namespace ado::bench {

struct YaxTwoCallVariant {
  static constexpr std::string_view algorithm = "yax", name = "two_call";
  static constexpr Model model = Model::kokkos_kernels;
  static constexpr std::string_view summary = "KokkosBlas::gemv, then KokkosBlas::dot";
  static constexpr TypeSet types = real_types;
  static Library host_library() { return openblas(); }

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Space = typename Exec::memory_space;
      using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
      using Vector = Kokkos::View<const T*, Kokkos::LayoutLeft, Space, Unmanaged>;
      using Left = Kokkos::View<const T**, Kokkos::LayoutLeft, Space, Unmanaged>;
      const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
      const std::size_t rows = a.extent[0], columns = a.extent[1];
      // Rows of a as columns: the one layout with a leading dimension that gemv is compiled for.
      const Left whole(a.as<const T>(), a.stride[0], rows);
      const Left transposed(whole, std::make_pair(std::size_t{0}, columns), Kokkos::ALL);
      const Kokkos::View<T*, Kokkos::LayoutLeft, Space, Unmanaged> product(
          static_cast<T*>(call.workspace), rows);
      KokkosBlas::gemv(exec, "T", T(1), transposed, Vector(x.as<const T>(), columns), T(0),
                       product);
      KokkosBlas::dot(exec, Kokkos::View<T, Space, Unmanaged>(call.arrays[3].as<T>()),
                      Vector(y.as<const T>(), rows), Vector(product));
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], size_of(type)}, "yax[two_call]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    // The libraries may sum in any order.
    return double(s[1]) + 1 + double(s[0]) + 1;
  }
};
const PortableVariant<YaxTwoCallVariant> yax_two_call_registered{__FILE__};

} // namespace ado::bench
