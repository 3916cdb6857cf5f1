// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv on a GPU where tiles are few: all warps of a team have the same tile,
// and each sums its share of the columns of a, straight from memory. Then they add their sums in
// scratch.
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/average_mv/detail/product/stages.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/portable/tensor_cores.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// aligned: rows of a and of mean are multiples of 16 bytes long and start on boundaries of 16.
template <class Exec, class T, class Tile, bool aligned>
struct FromMemoryTeam {
  using Policy = Teams<Exec, Tile::template resident_teams<T>, Tile::threads>;
  using Member = typename Policy::member_type;
  static constexpr int wide = Tile::wide, shares = Tile::shares, ahead = Tile::ahead;
  static constexpr int pack = Pack<T>::size, piece = 4 * pack; ///< elements of four lanes
  using Sums = double[wide * 4][32];
  static constexpr std::size_t scratch_bytes = shares * sizeof(Sums);

  Product<T> p;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const scratch = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16);
    auto* const sums = static_cast<Sums*>(scratch);
    const auto across = static_cast<unsigned>((p.sets + Tile::columns - 1) / Tile::columns);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const std::size_t i0 = std::size_t{rank / across} * Tile::rows;
    const std::size_t n0 = std::size_t{rank % across} * Tile::columns;
    const auto thread = static_cast<unsigned>(team.team_rank());
    const unsigned lane = thread % 32, share = thread / 32;

    double sum[wide][4] = {};
    add_share(sum, i0 + lane / 4, n0 + lane / 4, share, lane % 4);
    ADO_UNROLL
    for (int k = 0; k < wide * 4; ++k)
      sums[share][k][lane] = sum[k / 4][k % 4];
    team.team_barrier();
    for (unsigned k = share; k < wide * 4; k += shares) {
      double all = sums[0][k][lane];
      ADO_UNROLL
      for (int other = 1; other < shares; ++other)
        all += sums[other][k][lane];
      store_element(p, i0 + k % 4 / 2 * 8 + lane / 4, n0 + k / 4 * 8 + lane % 4 * 2 + k % 2,
                    static_cast<T>(all));
    }
  }

private:
  /// The sums of a share: every `shares`-th piece. The lane has rows i and i + 8, and
  /// columns n, n + 8 and so on. Rows and columns beyond the matrices are others of them, which
  /// reach no result.
  KOKKOS_FUNCTION void add_share(double (&sum)[wide][4], std::size_t i, std::size_t n,
                                 unsigned share, unsigned quarter) const {
    const T *a[2], *mean[wide];
    ADO_UNROLL
    for (int r = 0; r < 2; ++r)
      a[r] = p.a + Kokkos::min(i + 8 * r, p.rows - 1) * p.lda;
    ADO_UNROLL
    for (int c = 0; c < wide; ++c)
      mean[c] = p.mean + Kokkos::min(n + 8 * c, p.sets - 1) * p.length;

    const auto length = static_cast<unsigned>(p.length);
    constexpr unsigned step = shares * piece;
    Pack<T> of_a[ahead][2], of_mean[ahead][wide];
    const auto load = [&](int k, unsigned j) {
      if (j >= length) return;
      ADO_UNROLL
      for (int r = 0; r < 2; ++r)
        of_a[k][r] = part_of_piece(a[r], j, quarter);
      ADO_UNROLL
      for (int c = 0; c < wide; ++c)
        of_mean[k][c] = part_of_piece(mean[c], j, quarter);
    };
    ADO_UNROLL
    for (int k = 0; k < ahead; ++k)
      load(k, share * piece + k * step);
    for (unsigned j = share * piece; j < length; j += ahead * step) {
      ADO_UNROLL
      for (int k = 0; k < ahead; ++k) {
        if (j + k * step < length) multiply(sum, of_a[k], of_mean[k]);
        load(k, j + (k + ahead) * step);
      }
    }
  }

  /// The elements of a lane in the piece of `row` from j on; 0 beyond its end. Neighbours are next
  /// to each other.
  KOKKOS_FUNCTION Pack<T> part_of_piece(const T* row, unsigned j, unsigned quarter) const {
    Pack<T> part = {};
    const auto length = static_cast<unsigned>(p.length);
    if constexpr (aligned) {
      const unsigned own = j + quarter * pack;
      if (own < length) part = *reinterpret_cast<const Pack<T>*>(row + own);
    } else {
      ADO_UNROLL
      for (int e = 0; e < pack; ++e)
        if (const unsigned own = j + e * 4 + quarter; own < length) part.lane[e] = row[own];
    }
    return part;
  }

  /// sum += a * mean of a piece. Tensor cores take two columns of each lane at a time.
  static KOKKOS_FUNCTION void multiply(double (&sum)[wide][4], const Pack<T> (&a)[2],
                                       const Pack<T> (&mean)[wide]) {
    ADO_UNROLL
    for (int k = 0; k < pack; k += 2) {
      const double of_a[4] = {double(a[0].lane[k]), double(a[1].lane[k]), double(a[0].lane[k + 1]),
                              double(a[1].lane[k + 1])};
      ADO_UNROLL
      for (int c = 0; c < wide; ++c) {
        const double of_mean[2] = {double(mean[c].lane[k]), double(mean[c].lane[k + 1])};
        tensor_multiply_add(sum[c], of_a, of_mean);
      }
    }
  }
};

} // namespace ado::detail::device_product
