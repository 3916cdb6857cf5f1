// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/elements.hpp>
#include <ado/registry/matrix_shapes.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace ado::bench {
namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"a", 2, {s[0], s[1], 1}}, {"b", 2, {s[1], s[0], 1}, true}};
}

/// Compares with the input itself; nothing is copied. Elements that were only moved must have the
/// same bits. Elements that a library computed, as one times a, must be the same numbers: NaN
/// equals NaN, whatever its payload.
class TransposeOracle : public Oracle {
public:
  TransposeOracle(Type type, const Array& a) : type_(type), a_(a) {}

  Check check(const Array& b, const Tolerance& tolerance) const override {
    Check result;
    with_element(size_of(type_), [&](auto element) {
      using E = decltype(element);
      const auto by = [&](auto same) { compare<E>(b, same, result); };
      if (tolerance.roundings == 0 || !info(type_).floating)
        by([](const E& x, const E& y) { return x == y; });
      else if (info(type_).unit_roundoff == 0x1p-24)
        by([](const E& x, const E& y) { return same_numbers<float>(x, y); });
      else
        by([](const E& x, const E& y) { return same_numbers<double>(x, y); });
    });
    result.ok = result.wrong == 0;
    if (!result.ok) result.max_error = result.worst_bound_share = 1.0 / 0.0;
    return result;
  }

private:
  /// Whether the parts of two elements are the same numbers.
  template <class T, class E>
  static bool same_numbers(const E& x, const E& y) {
    if constexpr (sizeof(E) >= sizeof(T)) {
      using Parts = std::array<T, sizeof(E) / sizeof(T)>;
      const Parts p = std::bit_cast<Parts>(x), q = std::bit_cast<Parts>(y);
      return std::equal(p.begin(), p.end(), q.begin(),
                        [](T s, T t) { return s == t || (s != s && t != t); });
    }
    return false;
  }

  // By blocks that fit the cache: a walk down whole columns would cost a cache line an element.
  template <class E, class Same>
  void compare(const Array& b, const Same& same, Check& result) const {
    constexpr std::size_t block = 32;
    const std::size_t rows = a_.extent[0], columns = a_.extent[1];
    const std::size_t no_row = rows;
    std::size_t wrong = 0, first_row = no_row, first_column = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (std::size_t i0 = 0; i0 < rows; i0 += block)
      for (std::size_t j0 = 0; j0 < columns; j0 += block)
        for (std::size_t i = i0; i < std::min(i0 + block, rows); ++i)
          for (std::size_t j = j0; j < std::min(j0 + block, columns); ++j)
            if (!same(b.as<const E>()[j * b.stride[0] + i],
                      a_.as<const E>()[i * a_.stride[0] + j])) {
              ++wrong;
#pragma omp critical
              if (i < first_row || (i == first_row && j < first_column)) {
                first_row = i;
                first_column = j;
              }
            }
    result.wrong = wrong;
    if (wrong == 0) return;
    char text[96];
    std::snprintf(text, sizeof text, "b[%zu][%zu] differs from a[%zu][%zu]", first_column,
                  first_row, first_row, first_column);
    result.first_wrong = text;
  }

  Type type_;
  Array a_;
};

std::unique_ptr<Oracle> oracle(Type type, const Shape&, const std::vector<Array>& inputs) {
  return std::make_unique<TransposeOracle>(type, inputs[0]);
}

const Registration registered{Algorithm{
    .name = "transpose",
    .formula = "b[j][i] = a[i][j]",
    .sizes = {{"rows"}, {"cols"}},
    .types = all_types,
    .default_type = Type::i32,
    .arrays = arrays,
    .shape_of_size = square_of_size,
    .classic = {32768, 32768, 1},
    .edge_shapes = matrix_edge_shapes,
    .oracle = oracle,
    .tuned = "tuned",
    .ladder = {"serial", "plain", "flat", "flat_write", "tile_rows", "tile_strided", "blocked",
               "tiled", "tiled_padded", "team", "tuned"},
    .slicing = Slicing{.size = 0, .cut = {0, 1}, .across = 1},
}};

} // namespace
} // namespace ado::bench
