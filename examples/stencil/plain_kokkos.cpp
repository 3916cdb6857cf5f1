// stencil, kokkos, plain and tiles: a work item a point
//   mapping   MDRangePolicy over planes, rows and columns. plain: in Kokkos' own tiles; tiles: of 1 x 8 x 32 points
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   teaches   what the obvious policy costs. On a GPU a tile is a block of threads, and a warp of 32 neighbours in a
//             row reads whole sectors
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

/// Kokkos' own tiles are chosen by a policy that is given none.
template <class Exec, class... Tiles>
void launch(const char* label, const Exec& exec, const ado::Call& call, const Tiles&... tiles) {
  ado::with_real_type(call.type, [&]<class T>(T) {
    using Policy =
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<std::int64_t>>;
    const typename Policy::point_type extents{
        std::int64_t(call.shape[0]), std::int64_t(call.shape[1]), std::int64_t(call.shape[2])};
    Kokkos::parallel_for(label, Policy(exec, {0, 0, 0}, extents, tiles...),
                         PlainKernel<T>{Grid<T>(call)});
  });
}

struct PlainInKokkos : StencilVariant {
  static constexpr std::string_view name = "plain", summary = "MDRangePolicy, a work item a point";
  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    launch("stencil[plain]", exec, call);
  }
};
const ado::PortableVariant<PlainInKokkos> plain{__FILE__};

struct TilesInKokkos : StencilVariant {
  static constexpr std::string_view name = "tiles", summary = "the same in tiles of 1 x 8 x 32";
  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    launch("stencil[tiles]", exec, call, Kokkos::Array<std::int64_t, 3>{1, 8, 32});
  }
};
const ado::PortableVariant<TilesInKokkos> tiles{__FILE__};
