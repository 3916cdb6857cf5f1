// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, team: c[i] = a[i] + b[i]
//   mapping   team: a share of the vectors, from one boundary of packs in c to the next; lanes:
//             packs of it side by side, a few each, all loads before the first store
//   scratch   none
//   bytes     reads a and b once, writes c once, past the caches of a CPU if c is large
//   needs     nothing; a GPU moves 16 bytes at a time where a, b and c are equally far from a
//             boundary of these
//   teaches   one body for every backend: what differs is the width of a pack and how many lanes a
//             team has
#include <ado/portable/packs.hpp>
#include <ado/portable/variant.hpp>
#include <ado/vector_add/call_vectors.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class P, bool past_cache>
struct VectorAddTeam {
  using T = typename P::Number;
  using Member = typename Teams<Exec>::member_type;
  static constexpr std::size_t size = P::size;
  /// Packs of a, and of b, that a lane asks for at once.
  static constexpr std::size_t in_flight = one::Constants<Exec>::loads_in_flight(P::size) / 2;

  Vectors<T> v;
  std::size_t before, packs; ///< elements in front of the first pack
  std::size_t packs_per_team;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    constexpr std::size_t lanes = one::Constants<Exec>::team_threads;
    const VectorAddTeam own = *this; // GCC reads members again after each store
    const std::size_t begin = std::size_t(team.league_rank()) * packs_per_team;
    const std::size_t end = Kokkos::min(begin + packs_per_team, packs);
    for (std::size_t first = begin; first < end; first += in_flight * lanes)
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, lanes),
                           [&](std::size_t lane) { own.add_packs(first + lane, end, lanes); });
    if (past_cache) one::store_fence();
    if (team.league_rank() != 0) return;
    const std::size_t behind = before + packs * size; // what no pack holds
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, v.n - packs * size), [&](std::size_t k) {
      const std::size_t i = k < before ? k : behind + k - before;
      v.c[i] = v.a[i] + v.b[i];
    });
  }

private:
  KOKKOS_FUNCTION void add_packs(std::size_t first, std::size_t end, std::size_t apart) const {
    P of_a[in_flight], of_b[in_flight];
    const auto each = [&](const auto& f) {
      ADO_UNROLL
      for (std::size_t u = 0; u < in_flight; ++u)
        if (first + u * apart < end) f(u, before + (first + u * apart) * size);
    };
    each([&](std::size_t u, std::size_t i) {
      of_a[u] = one::load<P>(v.a + i);
      of_b[u] = one::load<P>(v.b + i);
    });
    each([&](std::size_t u, std::size_t i) {
      if (past_cache)
        one::store_past_cache(v.c + i, of_a[u] + of_b[u]);
      else
        one::store(v.c + i, of_a[u] + of_b[u]);
    });
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void vector_add_team(const Exec& exec, const Vectors<T>& v) {
  using C = one::Constants<Exec>;
  if (v.n == 0) return;
  const auto behind = [](const T* data) { // the boundary of packs in front
    return reinterpret_cast<std::uintptr_t>(data) % C::widest_pack_bytes / sizeof(T);
  };
  const bool alike = behind(v.a) == behind(v.c) && behind(v.b) == behind(v.c);
  one::with_pack<Exec, T, C::widest_pack_bytes>(v.n, alike, [&](auto pack) {
    using P = decltype(pack);
    constexpr std::size_t size = P::size;
    const std::size_t before = std::min((size - behind(v.c) % size) % size, v.n);
    const std::size_t packs = (v.n - before) / size;
    const std::size_t per_team = one::packs_of_team<P>(exec, packs, 4);
    const std::size_t league = std::max<std::size_t>(1, ceil_div(packs, per_team));
    const auto launch = [&](auto past_cache) {
      Kokkos::parallel_for("ado::vector_add[team]", teams(exec, league),
                           VectorAddTeam<Exec, P, past_cache>{v, before, packs, per_team});
    };
    // A register that does not fill a line's part of 16 bytes has no such store.
    if constexpr (sizeof(P) >= 16 && C::stores_past_cache)
      if (v.n * sizeof(T) >= streamed_bytes) return launch(std::true_type());
    launch(std::false_type());
  });
}

struct VectorAddTeamVariant : VectorAddByPacks {
  static constexpr std::string_view name = "team";
  static constexpr std::string_view summary = "one body for all backends: packs, all loads first";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type,
                [&](auto zero) { vector_add_team(exec, vectors_of<decltype(zero)>(call)); });
  }
};
const PortableVariant<VectorAddTeamVariant> vector_add_team_registered{__FILE__};

} // namespace ado::bench
