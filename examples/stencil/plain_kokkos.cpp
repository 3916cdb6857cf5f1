// stencil, kokkos, plain: a work item a point
//   mapping   MDRangePolicy over planes, rows and columns, in Kokkos' own tiles
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   teaches   what the obvious policy costs
#include "stencil.hpp"
#include <ado/portable/variant.hpp>

template <class T>
struct PlainKernel {
  Grid<T> g;
  KOKKOS_FUNCTION void operator()(std::size_t p, std::size_t r, std::size_t c) const {
    const std::size_t plane = g.rows * g.columns;
    const T* u = g.u + p * plane + r * g.columns + c;
    T value = *u;
    if (p != 0 && p + 1 != g.planes && r != 0 && r + 1 != g.rows && c != 0 && c + 1 != g.columns)
      value = u[-1] + u[1] + *(u - g.columns) + u[g.columns] + *(u - plane) + u[plane] - 6 * *u;
    g.w[p * plane + r * g.columns + c] = value;
  }
};

struct PlainInKokkos : StencilVariant {
  static constexpr std::string_view name = "plain", summary = "MDRangePolicy, a work item a point";

  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    ado::with_real_type(call.type, [&]<class T>(T) {
      using Policy =
          Kokkos::MDRangePolicy<Exec,
                                Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                                Kokkos::IndexType<std::size_t>>;
      const auto& s = call.shape;
      Kokkos::parallel_for("stencil[plain]", Policy(exec, {0, 0, 0}, {s[0], s[1], s[2]}),
                           PlainKernel<T>{Grid<T>(call)});
    });
  }
};
const ado::PortableVariant<PlainInKokkos> registered{__FILE__};
