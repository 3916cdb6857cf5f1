// histogram, kokkos, plain and own_counts
//   mapping   plain: RangePolicy over the keys, an atomic addition for each; own_counts: a team has
//             counts of its own in its scratch, and adds them at the end
//   teaches   where many write to few places, they wait for each other
#include "histogram.hpp"
#include <ado/portable/variant.hpp>

namespace bench = ado::bench;

namespace histogram {

struct CountKey {
  Keys k;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { Kokkos::atomic_inc(k.counts + k.keys[i]); }
};
struct ClearCounts {
  Keys k;
  KOKKOS_FUNCTION void operator()(std::size_t bin) const { k.counts[bin] = 0; }
};
template <class Exec>
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

struct HistogramInKokkos : HistogramVariant {
  static constexpr std::string_view name = "plain", summary = "an atomic addition a key";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    const Keys k(call);
    Kokkos::parallel_for("histogram, clear", Range<Exec>(exec, 0, bins), ClearCounts{k});
    Kokkos::parallel_for("histogram", Range<Exec>(exec, 0, k.count), CountKey{k});
  }
};
const bench::PortableVariant<HistogramInKokkos> plain{__FILE__};

template <class Exec>
struct CountInTeams {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<std::size_t>>;
  using Counts = Kokkos::View<unsigned[bins], typename Exec::scratch_memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Keys k;
  std::size_t part; ///< keys of a team

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const Counts mine(team.team_scratch(0));
    const auto all_bins = Kokkos::TeamThreadRange(team, bins);
    Kokkos::parallel_for(all_bins, [&](std::size_t bin) { mine(bin) = 0; });
    team.team_barrier();
    const std::size_t first = Kokkos::min(team.league_rank() * part, k.count); // few keys
    const std::size_t last = Kokkos::min(first + part, k.count);
    const bool alone = team.team_size() == 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::size_t i) {
      if (alone)
        ++mine(k.keys[i]);
      else
        Kokkos::atomic_inc(&mine(k.keys[i]));
    });
    team.team_barrier();
    Kokkos::parallel_for(all_bins, [&](std::size_t bin) {
      Kokkos::atomic_add(k.counts + bin, std::int64_t(mine(bin)));
    });
  }
};

struct OwnCountsInKokkos : HistogramVariant {
  static constexpr std::string_view name = "own_counts", summary = "counts for each team";

  template <class Exec>
  static void run(const Exec& exec, const bench::Call& call) {
    using Kernel = CountInTeams<Exec>;
    constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
    const Keys k(call);
    // A team counts less than 2^31 keys, because its counts have 32 bits.
    const std::size_t teams = std::max<std::size_t>(
        on_host ? std::size_t(exec.concurrency()) : 1024, k.count / INT32_MAX + 1);
    typename Kernel::Policy policy(exec, int(teams), on_host ? 1 : 256);
    policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::Counts::shmem_size()));
    Kokkos::parallel_for("histogram, clear", Range<Exec>(exec, 0, bins), ClearCounts{k});
    Kokkos::parallel_for("histogram, own counts", policy, Kernel{k, (k.count + teams - 1) / teams});
  }
};
const bench::PortableVariant<OwnCountsInKokkos> own_counts{__FILE__};

} // namespace histogram
