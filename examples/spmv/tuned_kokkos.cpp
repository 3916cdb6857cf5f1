// spmv, kokkos, tuned: elements are shared, not rows
//   mapping   device: a team of 256 threads takes rows of 2048 to 4096 elements in all, reads them
//             in pieces of 2048, and sums each piece by rows; host: one work item per thread, rows
//             split so that all have about as many elements, four sums per row
//   scratch   device: 2048 products
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against lanes: what is read in one piece is coalesced however long the rows are, and
//             each thread has 8 loads in flight; a host has more additions in flight
#include "spmv.hpp"
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace spmv {

template <class T>
struct ShareKernel { // host
  Csr<T> a;
  std::size_t shares;

  void operator()(std::size_t share) const {
    const std::size_t last = a.first_row(share + 1, shares);
    for (std::size_t r = a.first_row(share, shares); r < last; ++r)
      multiply(r);
  }
  void multiply(std::size_t r) const {
    T sum[4] = {};
    std::int32_t k = a.starts[r];
    const std::int32_t end = a.starts[r + 1];
    for (; k + 4 <= end; k += 4)
      for (int j = 0; j < 4; ++j)
        sum[j] += a.values[k + j] * a.x[a.columns[k + j]];
    for (; k < end; ++k)
      sum[0] += a.values[k] * a.x[a.columns[k]];
    a.y[r] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

template <class Exec, class T>
struct TeamKernel { // device
  /// Teams per multiprocessor, which limits registers: f64 needs 48, and spills with fewer.
  static constexpr int resident = sizeof(T) == 4 ? 8 : 5;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<team_threads, resident>>;
  Csr<T> a;
  unsigned rows; ///< per team

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const unsigned thread = team.team_rank(), lanes = team_threads / rows, lane = thread % lanes;
    T* const part = static_cast<T*>(team.team_scratch(0).get_shmem_aligned(sizeof(T) * piece, 16));
    const std::size_t first = std::size_t(team.league_rank()) * rows;
    const std::size_t last = first + rows < a.rows ? first + rows : a.rows;
    const std::size_t row = first + thread / lanes;
    const unsigned begin = a.starts[first], end = a.starts[last];
    const unsigned row_begin = row < last ? a.starts[row] : end;
    const unsigned row_end = row < last ? a.starts[row + 1] : end;
    T sum = 0;
    for (unsigned p = begin; p < end; p += piece) {
      T product[in_flight];
      ADO_UNROLL
      for (int j = 0; j < in_flight; ++j) {
        const unsigned k = p + j * team_threads + thread;
        product[j] = k < end ? a.values[k] * a.x[a.columns[k]] : T(0);
      }
      team.team_barrier(); // the piece before is summed
      ADO_UNROLL
      for (int j = 0; j < in_flight; ++j)
        part[j * team_threads + thread] = product[j];
      team.team_barrier();
      const unsigned stop = row_end < p + piece ? row_end : p + piece;
      for (unsigned k = (row_begin > p ? row_begin : p) + lane; k < stop; k += lanes)
        sum += part[k - p];
    }
    team.team_barrier();
    part[thread] = sum;
    for (unsigned step = lanes / 2; step > 0; step /= 2) {
      team.team_barrier();
      if (lane < step) part[thread] += part[thread + step];
    }
    if (lane == 0 && row < last) a.y[row] = part[thread];
  }
};

struct TunedInKokkos : SpmvVariant {
  static constexpr std::string_view name = "tuned", summary = "teams share elements";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    bench::with_real_type(call.type, [&]<class T>(T) {
      const Csr<T> a(call);
      if constexpr (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible) { // on a CPU
        using Shares = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
        const auto shares = std::size_t(exec.concurrency());
        Kokkos::parallel_for("spmv[tuned]", Shares(exec, 0, shares), ShareKernel<T>{a, shares});
      } else {
        const unsigned rows = rows_of_a_team(a.rows, a.nonzeros);
        using Kernel = TeamKernel<Exec, T>;
        typename Kernel::Policy policy(exec, static_cast<int>((a.rows + rows - 1) / rows),
                                       team_threads);
        policy.set_scratch_size(0, Kokkos::PerTeam(int(sizeof(T)) * piece + 16));
        Kokkos::parallel_for("spmv[tuned]", policy, Kernel{a, rows});
      }
    });
  }
};
const bench::PortableVariant<TunedInKokkos> registered{__FILE__};

} // namespace spmv
