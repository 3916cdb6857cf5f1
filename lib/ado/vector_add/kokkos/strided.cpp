// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, strided: c[i] = a[i] + b[i]
//   mapping   lanes side by side touch elements that are a stride apart. The vectors are cut into
//             rows of `stride` elements; a lane takes the rows that fall to it, and all lanes go
//             through the first elements of their rows, then the second, ... By default a lane has
//             one row, so a contiguous chunk of its own. With --stride there are more and shorter
//             rows, and each element is still touched once
//   scratch   none
//   bytes     reads a and b once, writes c once in principle; on a device a sector of 32 bytes is
//             moved for each element that is 32 bytes or more from its neighbour lane's, and is
//             gone when the row's next element is needed
//   needs     up to 2^24 teams; a stride beyond n divided by the lanes leaves lanes without a row
//   teaches   one chunk per thread suits a CPU, whose cache keeps the line for the next element; on
//             a GPU each access of a warp touches 32 sectors. --stride 1,2,4,8,... shows how far
//             the speed falls; --stride 1 is `coalesced` in several rounds
#include <ado/portable/variant.hpp>
#include <ado/vector_add/accesses.hpp>
#include <ado/vector_add/kokkos/shares.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <climits>

namespace ado::bench {

template <class Exec, class T>
struct VectorAddStrided {
  VectorAddViews<Exec, T> v;
  std::size_t stride, rows, rows_per_team;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const VectorAddShare share = share_of(team, rows_per_team, rows);
    for (std::size_t j = 0; j < stride; ++j)
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, share.first, share.last),
                           [&](std::size_t row) {
                             const std::size_t i = row * stride + j;
                             if (i < v.c.extent(0)) v.c(i) = v.a(i) + v.b(i);
                           });
  }
};

struct VectorAddStridedVariant : VectorAddVariant {
  static constexpr std::string_view name = "strided";
  static constexpr std::string_view summary = "a contiguous chunk a thread: lanes a stride apart";
  static constexpr bool takes_league_size = true, takes_stride = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch& launch) {
    return vector_add_accesses::strided(s, type, launch.stride);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    const std::size_t n = call.shape[0];
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const char* label = "ado::vector_add[strided]";
      const int fill = std::max(1, exec.concurrency() / team_threads<Exec>);
      const std::size_t league =
          checked_league_size(call.launch.league_size, fill, vector_add_most_teams, label);
      const std::size_t lanes = league * team_threads<Exec>;
      const std::size_t asked =
          checked_stride(call.launch.stride, ceil_div(n, lanes), INT_MAX, label);
      const std::size_t stride = std::clamp<std::size_t>(asked, 1, std::max<std::size_t>(n, 1));
      const std::size_t rows = ceil_div(n, stride);
      Kokkos::parallel_for(label, teams(exec, league),
                           VectorAddStrided<Exec, T>{VectorAddViews<Exec, T>(call), stride, rows,
                                                     round_up(ceil_div(rows, league), 32)});
    });
  }
};
const PortableVariant<VectorAddStridedVariant> vector_add_strided_registered{__FILE__};

} // namespace ado::bench
