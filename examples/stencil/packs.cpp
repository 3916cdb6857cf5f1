// stencil, kokkos, packs: one body for CPUs and GPUs, written in packs of numbers
//   mapping   team: eight rows. On a GPU 32 points of each, and every lane walks through 64 planes;
//             on a CPU whole rows of one plane, by one thread, in registers
//   bytes     reads u once from memory, its neighbours from registers or a cache; writes w once,
//             past the caches of a CPU if w is large
//   needs     nothing: any extents, leading dimensions and alignment
//   teaches   against tuned: backends differ only in a table of numbers. A row ends with a whole
//             pack, which may overlap the one before; the two ends of a row are put into their
//             packs
#include "stencil.hpp"
#include <ado/portable/packs.hpp>
#include <ado/portable/variant.hpp>

#include <climits>

namespace bench = ado::bench;

namespace one = ado::one;

namespace stencil {

/// The table of a GPU's constants; and the tile's size: packs side by side, planes, rows.
struct GpuTile : one::OfGpu {
  static constexpr unsigned packs = vector_lanes, planes = 64,
                            threads = team_threads / vector_lanes, high = threads;
};
struct CpuTile : one::OfCpu {
  static constexpr std::size_t packs = INT_MAX, planes = 1, threads = 1, high = 8;
};
template <class Exec>
using Tile = std::conditional_t<std::is_same_v<one::Constants<Exec>, one::OfCpu>, CpuTile, GpuTile>;

template <class Exec, class P>
struct PacksKernel {
  using T = typename P::Number;
  using C = Tile<Exec>;
  using Bounds = Kokkos::LaunchBounds<C::team_threads, 6>; // 40 registers per GPU thread
  using Policy = Kokkos::TeamPolicy<Exec, Bounds, Kokkos::IndexType<std::int64_t>>;
  using Index = typename C::Index;
  static constexpr Index size = P::size;

  Grid<T> g;
  std::size_t plane, row, w_plane, w_row; ///< distances between planes and rows, in u and in w
  unsigned across, down;                  ///< tiles side by side, and one below the other
  bool past_cache;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto rank = static_cast<unsigned>(team.league_rank());
    const Index k0 = rank % across * C::packs, r0 = rank / across % down * C::high;
    const Index p0 = rank / across / down * C::planes;
    const Index rows = Kokkos::min(+C::high, Index(g.rows) - r0);
    for (Index r = team.team_rank(); r < rows; r += C::threads) {
      const T* const u = g.u + p0 * plane + (r0 + r) * row;
      T* const w = g.w + p0 * w_plane + (r0 + r) * w_row;
      const bool inner = r0 + r != 0 && r0 + r + 1 != g.rows;
      // From the second pack on, packs are aligned in w.
      const Index before = reinterpret_cast<std::uintptr_t>(w) / sizeof(T) % size;
      const Index packs = (before + Index(g.columns) + size - 1) / size;
      const auto lanes = Kokkos::ThreadVectorRange(team, Kokkos::min(packs - k0, +C::packs));
      Kokkos::parallel_for(lanes, [&](Index k) {
        const Index begin = (k0 + k) * size;
        const Index c = Kokkos::min(begin - Kokkos::min(begin, before), Index(g.columns) - size);
        walk(u + c, w + c, p0, inner, c);
      });
    }
    if (C::stores_past_cache) one::store_fence();
  }

private:
  /// Walks one pack of columns, starting at c, through the planes of the tile.
  KOKKOS_FUNCTION void walk(const T* u, T* w, Index p, bool inner, Index c) const {
    P below = p == 0 ? P{} : one::load<P>(u - plane), here = one::load<P>(u);
    P above = p + 1 < g.planes ? one::load<P>(u + plane) : P{};
    ADO_UNROLL_BY(1) // unrolling would need too many registers
    for (Index i = 0; i < C::planes && p < g.planes; ++i, ++p, u += plane, w += w_plane) {
      // In flight while this plane is computed.
      const P next = p + 2 < g.planes ? one::load<P>(u + 2 * plane) : P{};
      P value = here;
      if (inner && p != 0 && p + 1 != g.planes) {
        value = one::load<P>(u - 1) + one::load<P>(u + 1) + one::load<P>(u - row) +
                one::load<P>(u + row) + below + above + P::of(-6) * here;
        if (c == 0) value.set(0, u[0]); // the ends of a row
        if (c + size == g.columns) value.set(size - 1, u[size - 1]);
      }
      if (C::stores_past_cache && past_cache &&
          reinterpret_cast<std::uintptr_t>(w) % sizeof(P) == 0)
        one::store_past_cache(w, value);
      else
        one::store(w, value);
      below = here;
      here = above;
      above = next;
    }
  }
};

struct PacksInKokkos : StencilVariant {
  static constexpr std::string_view name = "packs", summary = "one body for CPUs and GPUs";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using C = Tile<Exec>;
    const auto launch = [&]<class P>(P) {
      using Kernel = PacksKernel<Exec, P>;
      const Grid<typename P::Number> g(call);
      const auto &u = call.arrays[0].stride, &w = call.arrays[1].stride;
      const std::size_t across = (g.columns / P::size + C::packs - 1) / C::packs;
      const std::size_t down = (g.rows + C::high - 1) / C::high;
      const std::size_t teams = across * down * ((g.planes + C::planes - 1) / C::planes);
      if (teams > INT_MAX) throw ado::InvalidArgument("packs: more than 2^31 - 1 teams");
      const bool past_cache = g.planes * w[0] * sizeof(*g.w) >= std::size_t{64} << 20;
      Kokkos::parallel_for(
          "stencil[packs]", typename Kernel::Policy(exec, int(teams), C::threads, C::vector_lanes),
          Kernel{g, u[0], u[1], w[0], w[1], unsigned(across), unsigned(down), past_cache});
    };
    bench::with_real_type(call.type, [&]<class T>(T) {
      one::with_pack<Exec, T>(call.shape[2], false, launch); // neighbours begin anywhere
    });
  }
};
const bench::PortableVariant<PacksInKokkos> registered{__FILE__};

} // namespace stencil
