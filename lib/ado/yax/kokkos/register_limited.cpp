// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, register_limited: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   as `row_per_vector`; a lane asks for 256 bytes of its row, 32 elements of 8 bytes,
//             before it uses the first
//   scratch   the team's reduction; workspace: one number a team
//   bytes     reads a once, x once a row (from cache), y once
//   needs     any team size that is a multiple of the vector's lanes, up to 256 threads
//   teaches   what a lane holds takes registers, and a multiprocessor has 65536. About 150 per
//             thread (nvcc 13.0 for an H200) leave room for one team of 256: 8 of its 64 warps, see
//             --launches. Smaller teams, --team-size 128 or 64, also fill what that leaves over: 12
//             warps. `row_per_vector`, with four loads at a time, fills nearly all warps. More
//             warps would only bring more bytes in flight, and these 8 already have 64 KiB, more
//             than an H200 asks for. Occupancy is one way to get bytes in flight, not the aim. It
//             helps where each lane has little in flight, as in `scratch_limited`. A host has no
//             such registers to divide
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/row_per_vector.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

struct ManyLoadsAtATime {
  template <class T, class Member, class Row, class X>
  static KOKKOS_INLINE_FUNCTION T of(const Member& team, std::size_t count, const Row& a,
                                     const X& x) {
    constexpr std::size_t lanes = vector_lanes<typename Member::execution_space>;
    constexpr std::size_t together = 256 / sizeof(T);
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, lanes),
        [&](std::size_t lane, T& part) {
          std::size_t j = lane;
          ADO_UNROLL_BY(1) // a doubled body would take twice the registers
          for (; j + (together - 1) * lanes < count; j += together * lanes) {
            T held[together];
            ADO_UNROLL
            for (std::size_t k = 0; k < together; ++k)
              held[k] = a(j + k * lanes);
            ADO_UNROLL
            for (std::size_t k = 0; k < together; ++k)
              part += held[k] * x(j + k * lanes);
          }
          for (; j < count; j += lanes)
            part += a(j) * x(j);
        },
        sum);
    return sum;
  }
};

struct YaxRegisterLimitedVariant {
  static constexpr std::string_view algorithm = "yax", name = "register_limited";
  static constexpr std::string_view summary = "so many loads at once that few warps have registers";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;
  using AllRegisters = Kokkos::LaunchBounds<256, 1>;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    yax_row_per_vector<AllRegisters, ManyLoadsAtATime>(
        "ado::yax::rows[register_limited]", "ado::yax::finish[register_limited]", exec, call);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_row_per_vector_workspace(s, type, "yax[register_limited]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type, const Launch& launch) {
    return yax_row_per_vector_steps<Exec>(s, type, launch);
  }
};
const PortableVariant<YaxRegisterLimitedVariant> yax_register_limited_registered{__FILE__};

} // namespace ado::bench
