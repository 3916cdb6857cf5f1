// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, banks: c[i] = a[i] + b[i]
//   mapping   team = 1024 sums, which go through scratch: they are stored there, change places with
//             their neighbours eight times, and are read from there; lanes side by side are a
//             stride apart in scratch (banks.hpp)
//   scratch   two tiles of 1024 elements a team
//   bytes     reads a and b once, writes c once; 18 accesses to scratch per element
//   needs     a stride up to 33
//   teaches   the scratch of a GPU lies in 32 banks, each of which serves one word of 4 bytes at a
//             time. With --stride 1 the 32 lanes use 32 banks. With 2 they use half as many, two
//             lanes in each. With 32 (default) they all use one bank and wait for each other. With
//             33, which is 32 plus one element of padding, they use all banks again. 8-byte
//             elements take at least two passes. A CPU's L1 has no such banks
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/vector_add/accesses.hpp>
#include <ado/vector_add/banks.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct VectorAddBanks {
  using Tile = Kokkos::View<T[banks_tile], typename Exec::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  VectorAddViews<Exec, T> v;
  BanksPlaces places;

  KOKKOS_FUNCTION unsigned place(unsigned k) const {
    return k * places.stride % banks_tile + (k >> places.period_bits);
  }

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const Tile here(team.team_scratch(0)), there(team.team_scratch(0));
    const std::size_t first = std::size_t(team.league_rank()) * banks_tile, n = v.c.extent(0);
    constexpr unsigned slots = banks_tile; // the range takes it by reference
    const auto all = Kokkos::TeamVectorRange(team, slots);
    Kokkos::parallel_for(all, [&](unsigned k) {
      const std::size_t i = first + k;
      here(place(k)) = i < n ? v.a(i) + v.b(i) : T(0);
    });
    team.team_barrier();
    for (int trip = 0; trip < banks_round_trips; ++trip) {
      Kokkos::parallel_for(all, [&](unsigned k) { there(place(k)) = here(place(k ^ 1)); });
      team.team_barrier();
      Kokkos::parallel_for(all, [&](unsigned k) { here(place(k)) = there(place(k ^ 1)); });
      team.team_barrier();
    }
    Kokkos::parallel_for(all, [&](unsigned k) {
      const std::size_t i = first + k;
      if (i < n) v.c(i) = here(place(k));
    });
  }
};

struct VectorAddBanksVariant : VectorAddVariant {
  static constexpr std::string_view name = "banks";
  static constexpr std::string_view summary = "through scratch with lanes a stride apart";
  static constexpr bool takes_stride = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch& launch) {
    return vector_add_accesses::banks(s, type, launch.stride);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Kernel = VectorAddBanks<Exec, T>;
      const char* label = "ado::vector_add[banks]";
      const Kernel kernel{VectorAddViews<Exec, T>(call), BanksPlaces(call.launch.stride, label)};
      auto policy = teams(exec, ceil_div(call.shape[0], banks_tile));
      set_scratch(policy, 0, 2 * Kernel::Tile::shmem_size());
      Kokkos::parallel_for(label, policy, kernel);
    });
  }
};
const PortableVariant<VectorAddBanksVariant> vector_add_banks_registered{__FILE__};

} // namespace ado::bench
