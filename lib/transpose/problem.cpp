// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/elements.hpp>
#include <ado/core/matrix_shapes.hpp>
#include <ado/core/registry.hpp>

#include <algorithm>
#include <cstdio>

namespace ado {
namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"a", 2, {s[0], s[1], 1}}, {"b", 2, {s[1], s[0], 1}, true}};
}

Traffic traffic(const Shape& s, Type type) {
  const double bytes = double(s[0]) * double(s[1]) * double(size_of(type));
  return {.bytes_read = bytes, .bytes_written = bytes, .flops = 0};
}

/// Compares bit by bit with the input itself; nothing is copied.
class TransposeOracle : public Oracle {
public:
  TransposeOracle(std::size_t element_bytes, const Array& a)
      : element_bytes_(element_bytes), a_(a) {}

  Check check(const Array& b, double) const override {
    Check result;
    with_element(element_bytes_, [&](auto element) { compare<decltype(element)>(b, result); });
    result.ok = result.wrong == 0;
    if (!result.ok) result.max_error = result.worst_bound_share = 1.0 / 0.0;
    return result;
  }

private:
  // By blocks that fit the cache: a walk down whole columns would cost a cache line an element.
  template <class E>
  void compare(const Array& b, Check& result) const {
    constexpr std::size_t block = 32;
    const std::size_t rows = a_.extent[0], columns = a_.extent[1];
    const std::size_t no_row = rows;
    std::size_t wrong = 0, first_row = no_row, first_column = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (std::size_t i0 = 0; i0 < rows; i0 += block)
      for (std::size_t j0 = 0; j0 < columns; j0 += block)
        for (std::size_t i = i0; i < std::min(i0 + block, rows); ++i)
          for (std::size_t j = j0; j < std::min(j0 + block, columns); ++j)
            if (b.as<const E>()[j * b.stride[0] + i] != a_.as<const E>()[i * a_.stride[0] + j]) {
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

  std::size_t element_bytes_;
  Array a_;
};

std::unique_ptr<Oracle> oracle(Type type, const Shape&, const std::vector<Array>& inputs) {
  return std::make_unique<TransposeOracle>(size_of(type), inputs[0]);
}

const Registration registered{Algorithm{
    .name = "transpose",
    .formula = "b[j][i] = a[i][j]",
    .sizes = {{"rows"}, {"cols"}},
    .types = all_types,
    .default_type = Type::i32,
    .arrays = arrays,
    .traffic = traffic,
    .shape_of_size = square_of_size,
    .classic = {32768, 32768, 1},
    .edge_shapes = matrix_edge_shapes,
    .oracle = oracle,
    .ones_twos_exact = [](const Shape&, Type) { return true; },
}};

} // namespace
} // namespace ado
