// stencil, kokkos, tuned: on a GPU a thread walks through the planes
//   mapping   device: teams of 32 x 8 columns of points, each thread walks through 64 planes; host:
//             one work item per row, SIMD along its inner points
//   bytes     reads u once from memory; neighbours above and below from registers, the others from
//             cache; writes w once
//   teaches   what the same thread uses again belongs in a register, and the next load is in flight
//             before it is needed. One source serves both kinds of machine; they part in one place
#include "stencil.hpp"
#include <ado/portable/variant.hpp>

#include <climits>

namespace bench = ado::bench;

namespace stencil {

template <class T>
struct RowKernel { // host
  Grid<T> g;
  void operator()(std::size_t row) const {
    const std::size_t plane = g.rows * g.columns, p = row / g.rows, r = row % g.rows;
    const T* u = g.u + row * g.columns;
    T* w = g.w + row * g.columns;
    const bool edge = p == 0 || p + 1 == g.planes || r == 0 || r + 1 == g.rows;
    if (edge || g.columns < 3) {
      for (std::size_t c = 0; c < g.columns; ++c)
        w[c] = u[c];
      return;
    }
    w[0] = u[0];
#pragma omp simd
    for (std::size_t c = 1; c < g.columns - 1; ++c)
      w[c] = u[c - 1] + u[c + 1] + u[c - g.columns] + u[c + g.columns] + u[c - plane] +
             u[c + plane] - 6 * u[c];
    w[g.columns - 1] = u[g.columns - 1];
  }
};

constexpr unsigned wide = 32, high = 8;
constexpr std::size_t walk = 64; ///< planes per thread

template <class Exec, class T>
struct ColumnKernel { // device
  Grid<T> g;
  unsigned across, down; ///< teams side by side and one below the other

  // With this many teams on a multiprocessor a thread has 32 or 40 registers; the compiler would
  // take 48.
  using Bounds = Kokkos::LaunchBounds<wide * high, sizeof(T) == 4 ? 8 : 6>;
  using Policy = Kokkos::TeamPolicy<Exec, Bounds, Kokkos::IndexType<std::int64_t>>;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    // 32 bits: a 64-bit division would delay the first loads.
    const auto rank = static_cast<unsigned>(team.league_rank());
    const auto thread = static_cast<unsigned>(team.team_rank());
    const std::size_t c = rank % across * wide + thread % wide;
    const std::size_t r = rank / across % down * high + thread / wide;
    const std::size_t first = rank / across / down * walk, plane = g.rows * g.columns;
    if (c >= g.columns || r >= g.rows) return;
    const std::size_t last = Kokkos::min(first + walk, g.planes);
    const bool inside = r != 0 && r + 1 != g.rows && c != 0 && c + 1 != g.columns;
    const T* u = g.u + first * plane + r * g.columns + c;
    T* w = g.w + first * plane + r * g.columns + c;
    T below = first == 0 ? T(0) : *(u - plane), here = *u;
    T above = first + 1 < g.planes ? u[plane] : T(0);
    for (std::size_t p = first; p < last; ++p, u += plane, w += plane) {
      const T next =
          p + 2 < g.planes ? u[2 * plane] : T(0); // in flight while this plane is computed
      *w = inside && p != 0 && p + 1 != g.planes
               ? u[-1] + u[1] + *(u - g.columns) + u[g.columns] + below + above - 6 * here
               : here;
      below = here;
      here = above;
      above = next;
    }
  }
};

struct TunedInKokkos : StencilVariant {
  static constexpr std::string_view name = "tuned", summary = "planes pass through registers";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Grid<T> g(call);
      if constexpr (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible) { // on a CPU
        using Rows = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
        Kokkos::parallel_for("stencil[tuned]", Rows(exec, 0, g.planes * g.rows), RowKernel<T>{g});
      } else {
        using Kernel = ColumnKernel<Exec, T>;
        const std::size_t across = (g.columns + wide - 1) / wide, down = (g.rows + high - 1) / high;
        const std::size_t teams = across * down * ((g.planes + walk - 1) / walk);
        if (teams > INT_MAX) throw ado::InvalidArgument("tuned: more than 2^31 - 1 teams");
        Kokkos::parallel_for("stencil[tuned]",
                             typename Kernel::Policy(exec, static_cast<int>(teams), wide * high),
                             Kernel{g, static_cast<unsigned>(across), static_cast<unsigned>(down)});
      }
    });
  }
};
const bench::PortableVariant<TunedInKokkos> registered{__FILE__};

} // namespace stencil
