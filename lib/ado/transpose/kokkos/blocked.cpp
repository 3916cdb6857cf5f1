// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, blocked: b[j][i] = a[i][j]
//   mapping   one work item of an MDRangePolicy per block. A block is 16 bytes wide (4 x 4 elements
//             of 4 bytes; 2 x 2 of 16); the index runs down a column of blocks first. On a GPU the
//             8 x 4 lanes of a warp together read 64 bytes of a row of a and write 128 of a row of
//             b
//   scratch   none; a block is transposed in registers
//   bytes     reads a once, writes b once
//   needs     nothing; 16-byte accesses where the rows of both matrices start on 16-byte
//             boundaries, elsewhere an element at a time
//   teaches   against `flat` and `flat_write`: with several elements per thread, both sides use
//             whole sectors of 32 bytes, and a thread has several loads in flight. Registers limit
//             the block, so its rows stay short; `tiled` has room for longer rows
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/matrices.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class E, bool wide>
struct TransposeBlocked {
  static constexpr int pack = Pack<E>::size;
  static constexpr int side = sizeof(E) == 16 ? 2 : pack; ///< of the block

  /// With words of 32 bits nvcc 13.0 splits the last store of a block of four- or eight-byte
  /// elements.
  using Access = Words<16, std::uint64_t>;

  Matrices<E> m;

  KOKKOS_FUNCTION void operator()(std::int64_t block_i, std::int64_t block_j) const {
    const std::size_t i = block_i * side, j = block_j * side;
    if (i + side > m.rows || j + side > m.columns) return edge(i, j);
    const E* from = m.a + i * m.lda + j;
    E* to = m.b + j * m.ldb + i;
    Pack<E> in[side][side / pack];
    ADO_UNROLL
    for (int r = 0; r < side; ++r) {
      ADO_UNROLL
      for (int p = 0; p < side / pack; ++p)
        in[r][p] = load(from + r * m.lda + p * pack);
    }
    ADO_UNROLL
    for (int c = 0; c < side; ++c) {
      ADO_UNROLL
      for (int p = 0; p < side / pack; ++p) {
        Pack<E> out;
        ADO_UNROLL
        for (int k = 0; k < pack; ++k)
          out.lane[k] = in[p * pack + k][c / pack].lane[c % pack];
        store(to + c * m.ldb + p * pack, out);
      }
    }
  }

  /// A block of which only a part lies in a.
  KOKKOS_FUNCTION void edge(std::size_t first_i, std::size_t first_j) const {
    for (std::size_t j = first_j; j < Kokkos::min(first_j + side, m.columns); ++j)
      for (std::size_t i = first_i; i < Kokkos::min(first_i + side, m.rows); ++i)
        m.b[j * m.ldb + i] = m.a[i * m.lda + j];
  }

  static KOKKOS_FUNCTION Pack<E> load(const E* from) {
    Pack<E> result;
    if constexpr (wide) {
      const auto words = *reinterpret_cast<const Access*>(from);
      result = Kokkos::bit_cast<Pack<E>>(words);
    } else {
      for (int k = 0; k < pack; ++k)
        result.lane[k] = from[k];
    }
    return result;
  }
  static KOKKOS_FUNCTION void store(E* to, const Pack<E>& from) {
    if constexpr (wide) {
      *reinterpret_cast<Access*>(to) = Kokkos::bit_cast<Access>(from);
    } else {
      for (int k = 0; k < pack; ++k)
        to[k] = from.lane[k];
    }
  }
};

struct TransposeBlockedVariant {
  static constexpr std::string_view algorithm = "transpose", name = "blocked";
  static constexpr std::string_view summary =
      "several elements a thread, transposed in registers: whole sectors on both sides";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::blocked(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    if (call.shape[0] == 0 || call.shape[1] == 0) return;
    with_matrices(call, [&]<class E>(const Matrices<E>& m) {
      if (aligned_to_pack(m.a) && aligned_to_pack(m.b) && m.lda * sizeof(E) % 16 == 0 &&
          m.ldb * sizeof(E) % 16 == 0)
        launch(exec, TransposeBlocked<E, true>{m});
      else
        launch(exec, TransposeBlocked<E, false>{m});
    });
  }
  template <class Exec, class Kernel>
  static void launch(const Exec& exec, const Kernel& kernel) {
    using Range =
        Kokkos::MDRangePolicy<Exec, Kokkos::IndexType<std::int64_t>,
                              Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>>;
    const auto down = static_cast<std::int64_t>(ceil_div(kernel.m.rows, Kernel::side));
    const auto across = static_cast<std::int64_t>(ceil_div(kernel.m.columns, Kernel::side));
    Kokkos::parallel_for("ado::transpose[blocked]", Range(exec, {0, 0}, {down, across}, {8, 32}),
                         kernel);
  }
};
const PortableVariant<TransposeBlockedVariant> transpose_blocked_registered{__FILE__};

} // namespace ado::bench
