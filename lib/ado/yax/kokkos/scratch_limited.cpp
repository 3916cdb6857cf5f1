// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, scratch_limited: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: blocks of rows, four per thread. The whole team copies a piece of x into
//             scratch. Each thread walks along its rows over that piece, its vector lanes side by
//             side. Then comes the next piece. A team adds its rows; a second kernel of one team
//             adds the sums of the teams
//   scratch   almost 32 KiB a team, since a host has no more; workspace: one number a team
//   bytes     reads a once, y once, x once a team (from cache)
//   needs     any team size that is a multiple of the vector's lanes
//   teaches   x in scratch looks like a saving, but x comes from a cache anyway, and scratch is
//             what a multiprocessor has least of. The 228 KiB of an H200 hold six of these teams;
//             with 64 threads each, that is 12 of its 64 warps, see --launches. A lane has at most
//             four loads in flight, so 12 warps have 12 KiB (f64), too little to keep the memory
//             busy. More warps mean more bytes in flight. Larger teams share the same piece:
//             --team-size 256 makes 48 warps of the 12. Less scratch works too, and none at all is
//             `row_per_vector`. If each lane has enough in flight, more warps gain nothing: see
//             `register_limited`, and `tuned`, which is at the ceiling with 16. On a host the
//             copies are only extra work
#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/detail/finish.hpp>
#include <ado/yax/kokkos/views.hpp>
#include <ado/yax/rounding.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace ado::bench {

/// Of x in scratch. A View takes a few more bytes for its alignment, so it is one cache line less
/// than 32 KiB.
inline constexpr std::size_t scratch_limited_bytes = 32 * 1024 - 128;

template <class Exec, class T>
struct YaxScratchLimited {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr std::size_t piece = scratch_limited_bytes / sizeof(T);
  static constexpr int rows_per_thread = 4;
  using Piece = Kokkos::View<T[piece], typename Exec::scratch_memory_space,
                             Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  YaxViews<Exec, T> p;
  T* partial; ///< one per team

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Piece x(team.team_scratch(0));
    const std::size_t rows = p.a.extent(0), columns = p.a.extent(1), threads = team.team_size();
    const std::size_t first = team.league_rank() * threads * rows_per_thread + team.team_rank();
    T dot[rows_per_thread] = {};
    for (std::size_t j0 = 0; j0 < columns; j0 += piece) {
      const std::size_t width = Kokkos::min(columns - j0, std::size_t{piece});
      team.team_barrier(); // all are done with the previous piece
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, width),
                           [&](std::size_t j) { x(j) = p.x(j0 + j); });
      team.team_barrier();
      ADO_UNROLL
      for (int r = 0; r < rows_per_thread; ++r)
        if (const std::size_t i = first + r * threads; i < rows)
          dot[r] +=
              vector_sum<T>(team, width, [&](std::size_t j) { return p.a(i, j0 + j) * x(j); });
    }
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, threads), // each thread has its own rows
        [&](std::size_t, T& of_rows) {
          ADO_UNROLL
          for (int r = 0; r < rows_per_thread; ++r)
            if (const std::size_t i = first + r * threads; i < rows) of_rows += p.y(i) * dot[r];
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = sum; });
  }
};

struct YaxScratchLimitedVariant {
  static constexpr std::string_view algorithm = "yax", name = "scratch_limited";
  static constexpr std::string_view summary = "so much scratch that few teams fit";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  /// On a GPU, where a team has 64 threads unless another number is asked for.
  static std::vector<Access> accesses(const Shape& s, Type type, const Launch& launch) {
    const std::size_t threads = launch.team_size == 0 ? 64 : std::size_t(launch.team_size);
    return yax_accesses::row_per_warp_by_pieces(s, type, threads, threads / warp_lanes * 4,
                                                scratch_limited_bytes / size_of(type));
  }
  template <class Exec>
  static constexpr int usual_team_size = runs_on_host<Exec> ? 1 : 64;

  template <class Exec>
  static std::size_t threads_per_team(const Launch& launch) {
    const int asked = launch.team_size == 0 ? usual_team_size<Exec> : launch.team_size;
    return static_cast<std::size_t>(std::max(1, asked / vector_lanes<Exec>));
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Kernel = YaxScratchLimited<Exec, T>;
      auto* const partial = static_cast<T*>(call.workspace);
      const std::size_t league =
          ceil_div(call.shape[0], threads_per_team<Exec>(call.launch) * Kernel::rows_per_thread);
      const Kernel kernel{YaxViews<Exec, T>(call), partial};
      Kokkos::parallel_for("ado::yax::rows[scratch_limited]",
                           teams_as_asked(exec, league, kernel, call.launch, vector_lanes<Exec>,
                                          Kernel::Piece::shmem_size(), "yax[scratch_limited]",
                                          usual_team_size<Exec>),
                           kernel);
      yax_finish("ado::yax::finish[scratch_limited]", exec, partial, league,
                 call.arrays[3].as<T>());
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], size_of(type)}, "yax[scratch_limited]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type, const Launch& launch) {
    return with_real_type(type, [&](auto zero) {
      using Kernel = YaxScratchLimited<Exec, decltype(zero)>;
      constexpr std::size_t lanes = vector_lanes<Exec>, most = Kernel::rows_per_thread;
      const std::size_t threads = threads_per_team<Exec>(launch);
      const std::size_t width = std::min(s[1], Kernel::piece);
      // A lane's chain over a piece with its products, the lanes' tree, the product with y, the
      // pieces, the rows of a thread, the threads in any order, for Kokkos does not promise a tree.
      // The first piece and the first thread are added to 0.
      const double pieces = double(ceil_div(s[1], Kernel::piece)) - (s[1] > 0);
      const double row =
          double(ceil_div(width, lanes)) + tree_depth(std::min(width, lanes)) + 1 + pieces;
      const double of_team = double(std::min(ceil_div(s[0], threads), most)) +
                             double(std::min(s[0], threads)) - (s[0] > 0);
      return row + of_team + yax_finish_steps<decltype(zero), Exec>(ceil_div(s[0], threads * most));
    });
  }
};
const PortableVariant<YaxScratchLimitedVariant> yax_scratch_limited_registered{__FILE__};

} // namespace ado::bench
