// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that cannot wrap.
#pragma once

#include <ado/core/error.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

namespace ado::detail {

/// Product of `factors`, if it fits 64 bits. A zero anywhere makes it 0, whatever stands beside it.
inline std::optional<std::size_t> product_of(std::initializer_list<std::size_t> factors) {
  std::size_t product = 1;
  for (std::size_t factor : factors)
    if (factor == 0) return 0;
  for (std::size_t factor : factors) {
    if (product > static_cast<std::size_t>(-1) / factor) return std::nullopt;
    product *= factor;
  }
  return product;
}

/// The same; throws InvalidArgument, naming `what`, where it does not fit.
inline std::size_t checked_product(std::initializer_list<std::size_t> factors, const char* what) {
  if (const auto product = product_of(factors)) return *product;
  std::string sizes;
  for (std::size_t f : factors)
    sizes += (sizes.empty() ? "" : " x ") + std::to_string(f);
  throw InvalidArgument(std::string(what) + ": " + sizes +
                        " bytes do not fit a 64-bit size; use smaller extents");
}

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return a / b + (a % b != 0); }
constexpr std::size_t round_up(std::size_t a, std::size_t b) { return ceil_div(a, b) * b; }

/// Throws InvalidArgument, naming `what`, unless a team may have `asked` threads: a multiple of
/// `lanes`, from there to `most`.
inline void check_team_size(int asked, int lanes, int most, const char* what) {
  if (asked >= lanes && asked <= most && asked % lanes == 0) return;
  throw InvalidArgument(std::string(what) + ": a team of " + std::to_string(asked) +
                        " threads does not fit; a multiple of " + std::to_string(lanes) +
                        ", at most " + std::to_string(most) + ", does");
}

/// Teams of a league: as many as `asked` for, `usual` where that is 0. Throws InvalidArgument,
/// naming `what`, where they are more than `most`.
inline std::size_t checked_league_size(int asked, int usual, int most, const char* what) {
  const int teams = asked == 0 ? usual : asked;
  if (teams < 0 || teams > most)
    throw InvalidArgument(std::string(what) + ": a league of " + std::to_string(asked) +
                          " teams does not fit; at most " + std::to_string(most) + " do");
  return static_cast<std::size_t>(teams);
}

/// Elements between those that neighbouring lanes touch: as many as `asked` for, `usual` where that
/// is 0. Throws InvalidArgument, naming `what`, where they are more than `most`.
inline std::size_t checked_stride(int asked, std::size_t usual, int most, const char* what) {
  if (asked < 0 || asked > most)
    throw InvalidArgument(std::string(what) + ": a stride of " + std::to_string(asked) +
                          " elements does not fit; at most " + std::to_string(most) + " does");
  return asked == 0 ? usual : static_cast<std::size_t>(asked);
}

} // namespace ado::detail
