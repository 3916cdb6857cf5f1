// batched_gemm, kokkos, tuned: one team per matrix
//   mapping   device: teams of 64 threads, each thread computes elements of one column; host: one
//             work item per matrix, SIMD along the rows of c
//   scratch   device: both matrices
//   bytes     reads a and x once from memory, writes c once
//   needs     device: matrices of at most 32 x 32
//   teaches   against plain: what a team reads many times belongs in its scratch
#include "gemm.hpp"
#include <ado/portable/variant.hpp>

#include <limits>

namespace bench = ado::bench;

namespace batched_gemm {

template <class T>
struct MatrixKernel { // host
  Batch<T> g;
  void operator()(std::size_t b) const {
    const std::size_t n = g.order;
    for (std::size_t i = 0; i < n; ++i) {
      T* c = g.c + (b * n + i) * n;
      for (std::size_t j = 0; j < n; ++j)
        c[j] = 0;
      for (std::size_t l = 0; l < n; ++l) {
        const T factor = g.a[(b * n + i) * n + l];
        const T* x = g.x + (b * n + l) * n;
#pragma omp simd
        for (std::size_t j = 0; j < n; ++j)
          c[j] += factor * x[j];
      }
    }
  }
};

constexpr int threads = 64;
constexpr std::size_t most_teams = std::numeric_limits<int>::max(); // Kokkos counts teams in int

template <class Exec, class T>
struct TeamKernel { // device
  using Policy =
      Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads>, Kokkos::IndexType<std::int64_t>>;
  Batch<T> g;

  static std::size_t scratch_bytes(unsigned n) { return 2 * sizeof(T) * n * n + 16; }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const unsigned n = g.order, all = n * n, thread = team.team_rank();
    const std::size_t first = std::size_t(team.league_rank()) * all;
    T* const a = static_cast<T*>(team.team_scratch(0).get_shmem_aligned(2 * sizeof(T) * all, 16));
    T* const x = a + all;
    for (unsigned e = thread; e < all; e += threads) {
      a[e] = g.a[first + e];
      x[e] = g.x[first + e];
    }
    team.team_barrier();
    for (unsigned e = thread; e < all; e += threads) {
      const unsigned i = e / n, j = e - i * n;
      T sum = 0;
      for (unsigned l = 0; l < n; ++l)
        sum += a[i * n + l] * x[l * n + j];
      g.c[first + e] = sum;
    }
  }
};

struct TunedInKokkos : GemmVariant {
  static constexpr std::string_view name = "tuned", summary = "a team a matrix, through scratch";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Batch<T> g(call);
      if constexpr (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible) { // on a CPU
        using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
        Kokkos::parallel_for("batched_gemm[tuned]", Range(exec, 0, g.batch), MatrixKernel<T>{g});
      } else {
        if (g.order > most_order) throw ado::InvalidArgument("tuned: --order is at most 32");
        if (g.batch > most_teams) throw ado::InvalidArgument("tuned: --batch is at most 2^31 - 1");
        using Kernel = TeamKernel<Exec, T>;
        typename Kernel::Policy policy(exec, static_cast<int>(g.batch), threads);
        policy.set_scratch_size(0, Kokkos::PerTeam(int(Kernel::scratch_bytes(g.order))));
        Kokkos::parallel_for("batched_gemm[tuned]", policy, Kernel{g});
      }
    });
  }
};
const bench::PortableVariant<TunedInKokkos> registered{__FILE__};

} // namespace batched_gemm
