// stencil, kokkos, plain and short_index: one work item per point
//   mapping   MDRangePolicy over planes, rows and columns, in Kokkos' own tiles; short_index: with
//             32-bit indices
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   needs     short_index: extents below 2^31
//   teaches   what the obvious policy costs
#include "stencil.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace stencil {

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

template <class Exec, class Index>
void launch(const char* label, const Exec& exec, const bench::Call& call) {
  bench::with_real_type(call.type, [&]<class T>(T) {
    using Points =
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<Index>>;
    const Grid<T> g(call);
    const Points points(exec, {0, 0, 0}, {Index(g.planes), Index(g.rows), Index(g.columns)});
    Kokkos::parallel_for(label, points, PlainKernel<T>{g});
  });
}

struct PlainInKokkos : StencilVariant {
  static constexpr std::string_view name = "plain", summary = "MDRangePolicy, a work item a point";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    launch<Exec, std::size_t>("stencil[plain]", exec, call);
  }
};
const bench::PortableVariant<PlainInKokkos> plain{__FILE__};

struct ShortIndex : StencilVariant {
  static constexpr std::string_view name = "short_index", summary = "the same, indices of 32 bits";
  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    launch<Exec, int>("stencil[short_index]", exec, call);
  }
};
const bench::PortableVariant<ShortIndex> short_index{__FILE__};

} // namespace stencil
