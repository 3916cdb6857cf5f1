// spmv, kokkos, tuned: device: lanes share a row; host: work items share elements
//   mapping   device: TeamPolicy, 1 to 32 vector lanes a row by the mean length, 256 threads a team; host: a work item
//             for each thread, with rows of about as many elements as the others', four sums a row
//   bytes     reads row_starts, columns and values once from memory, x from cache; writes y once
//   teaches   against plain: neighbouring lanes read neighbouring elements; a host has more additions in flight
#include "spmv.hpp"
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

template <class T>
struct ShareKernel { // of a host
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

constexpr int threads = 256; ///< of a team, all lanes counted

template <class Exec, class T>
struct TeamKernel { // of a device
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

struct TunedInKokkos : SpmvVariant {
  static constexpr std::string_view name = "tuned", summary = "lanes share a row";

  template <class Exec>
  static void run(const Exec& exec, const ado::Call& call) {
    ado::with_real_type(call.type, [&]<class T>(T) {
      const Csr<T> a(call);
      if constexpr (ado::runs_on_host<Exec>) {
        using Shares = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
        const auto shares = std::size_t(exec.concurrency());
        Kokkos::parallel_for("spmv[tuned]", Shares(exec, 0, shares), ShareKernel<T>{a, shares});
      } else {
        const int lanes = lanes_of_a_row(a.rows, a.nonzeros), rows = threads / lanes;
        using Kernel = TeamKernel<Exec, T>;
        const typename Kernel::Policy policy(
            exec, ado::league_size((a.rows + std::size_t(rows) - 1) / std::size_t(rows)), rows,
            lanes);
        Kokkos::parallel_for("spmv[tuned]", policy, Kernel{a});
      }
    });
  }
};
const ado::PortableVariant<TunedInKokkos> registered{__FILE__};
