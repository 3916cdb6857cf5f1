// spmv, kokkos, lanes: lanes share a row
//   mapping   device: TeamPolicy, 1 to 32 vector lanes per row by the mean length, 256 threads per
//             team; host: SIMD along a row
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against plain: neighbouring lanes read neighbouring elements, if rows are long; and
//             what the reduction of a ThreadVectorRange costs beside hand-written shuffles. On a
//             host, gather instructions are slow
#include "spmv.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace spmv {

template <class T>
struct SimdKernel { // host
  Csr<T> a;
  void operator()(std::size_t r) const {
    const std::int32_t start = a.starts[r], count = a.starts[r + 1] - start;
    const T *values = a.values + start, *x = a.x;
    const std::int32_t* columns = a.columns + start;
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int32_t k = 0; k < count; ++k)
      sum += values[k] * x[columns[k]];
    a.y[r] = sum;
  }
};

constexpr int threads = 256; ///< per team, all lanes counted

template <class Exec, class T>
struct TeamKernel { // device
  using Policy =
      Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads>, Kokkos::IndexType<std::int64_t>>;
  Csr<T> a;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::size_t r = std::size_t(team.league_rank()) * team.team_size() + team.team_rank();
    if (r >= a.rows) return;
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, a.starts[r], a.starts[r + 1]),
        [&](std::int32_t k, T& part) { part += a.values[k] * a.x[a.columns[k]]; }, sum);
    Kokkos::single(Kokkos::PerThread(team), [&] { a.y[r] = sum; });
  }
};

struct LanesInKokkos : SpmvVariant {
  static constexpr std::string_view name = "lanes", summary = "lanes share a row";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Csr<T> a(call);
      if constexpr (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible) { // on a CPU
        using Rows = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
        Kokkos::parallel_for("spmv[lanes]", Rows(exec, 0, a.rows), SimdKernel<T>{a});
      } else {
        const int lanes = lanes_of_a_row(a.rows, a.nonzeros), rows = threads / lanes;
        using Kernel = TeamKernel<Exec, T>;
        const typename Kernel::Policy policy(
            exec, static_cast<int>((a.rows + std::size_t(rows) - 1) / std::size_t(rows)), rows,
            lanes);
        Kokkos::parallel_for("spmv[lanes]", policy, Kernel{a});
      }
    });
  }
};
const bench::PortableVariant<LanesInKokkos> registered{__FILE__};

} // namespace spmv
