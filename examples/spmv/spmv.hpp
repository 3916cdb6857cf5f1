// What the variants share: the arrays and their names.
#pragma once

#include <ado/bench/bench.hpp>

#include <algorithm>
#include <cstdint>

namespace spmv {

/// y = A x. A is square, in compressed rows: row r has the elements starts[r] to starts[r + 1].
template <class T>
struct Csr {
  std::size_t rows, nonzeros;
  const std::int32_t *starts, *columns;
  const T *values, *x;
  T* y;

  explicit Csr(const ado::bench::Call& call)
      : rows(call.shape[0]),
        nonzeros(call.shape[1]),
        starts(call.arrays[0].as<const std::int32_t>()),
        columns(call.arrays[1].as<const std::int32_t>()),
        values(call.arrays[2].as<const T>()),
        x(call.arrays[3].as<const T>()),
        y(call.arrays[4].as<T>()) {
    if (rows > INT32_MAX) throw ado::InvalidArgument("spmv: --rows is at most 2^31 - 1");
    if (nonzeros > INT32_MAX) throw ado::InvalidArgument("spmv: --nonzeros is at most 2^31 - 1");
  }

  /// First row of a share, if host threads share the elements about evenly.
  std::size_t first_row(std::size_t share, std::size_t shares) const {
    if (share == shares) return rows;
    const auto element = std::int32_t(nonzeros * share / shares);
    return share == 0 ? 0 : std::size_t(std::lower_bound(starts, starts + rows, element) - starts);
  }
};

/// Upper limit of a row's length.
inline std::size_t longest_row(const ado::bench::Shape& s) {
  return s[0] == 0 ? s[2] : std::max(s[2], s[1] / s[0] + 2);
}

/// Lanes per row: about one for two elements, a power of two up to a warp.
inline int lanes_of_a_row(std::size_t rows, std::size_t nonzeros) {
  int lanes = 1;
  while (lanes < 32 && 4 * std::size_t(lanes) * rows <= nonzeros)
    lanes *= 2;
  return lanes;
}

// On a GPU a team reads elements in pieces, with 8 loads per thread in flight.
constexpr int team_threads = 256, in_flight = 8, piece = team_threads * in_flight;

/// Rows per team: a power of two, at most two pieces of elements if all rows are alike, because the
/// last piece is seldom full.
inline unsigned rows_of_a_team(std::size_t rows, std::size_t nonzeros) {
  unsigned most = team_threads;
  while (most > 1 && nonzeros * most > std::size_t(2 * piece) * rows)
    most /= 2;
  return most;
}

struct SpmvVariant {
  static constexpr std::string_view algorithm = "spmv";
  static constexpr ado::bench::TypeSet types = ado::bench::real_types;
  /// A product and an addition for each element of the longest row, in any order.
  static double rounding_steps(const ado::bench::Shape& s, ado::bench::Type) {
    return double(longest_row(s)) + 1;
  }
};

} // namespace spmv
