// stencil, kokkos, plain and columns_first: a work item a point
//   mapping   MDRangePolicy. plain: over planes, rows and columns; columns_first: over columns, rows and planes
//   bytes     reads u once from memory, its neighbours from cache; writes w once
//   teaches   on a GPU neighbouring threads differ in the first index of the policy, whatever Iterate says. plain, as one
//             writes it for rows, is uncoalesced
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

template <class T>
struct ColumnsFirstKernel : PlainKernel<T> {
  KOKKOS_FUNCTION void operator()(std::size_t c, std::size_t r, std::size_t p) const {
    PlainKernel<T>::operator()(p, r, c);
  }
};

template <Kokkos::Iterate order, class Exec>
using Points =
    Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, order, order>, Kokkos::IndexType<std::size_t>>;

struct PlainInKokkos : StencilVariant {
  static constexpr std::string_view name = "plain", summary = "MDRangePolicy, a work item a point";

  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    ado::with_real_type(call.type, [&]<class T>(T) {
      const Grid<T> g(call);
      const Points<Kokkos::Iterate::Right, Exec> points(exec, {0, 0, 0},
                                                        {g.planes, g.rows, g.columns});
      Kokkos::parallel_for("stencil[plain]", points, PlainKernel<T>{g});
    });
  }
};
const ado::PortableVariant<PlainInKokkos> plain{__FILE__};

struct ColumnsFirst : StencilVariant {
  static constexpr std::string_view name = "columns_first", summary = "the same, columns first";

  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    ado::with_real_type(call.type, [&]<class T>(T) {
      const Grid<T> g(call);
      const Points<Kokkos::Iterate::Left, Exec> points(exec, {0, 0, 0},
                                                       {g.columns, g.rows, g.planes});
      Kokkos::parallel_for("stencil[columns_first]", points, ColumnsFirstKernel<T>{{g}});
    });
  }
};
const ado::PortableVariant<ColumnsFirst> columns_first{__FILE__};
