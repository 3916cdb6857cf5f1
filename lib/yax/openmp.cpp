// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, openmp, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j], by hand for CPUs
//   mapping   threads share blocks of 16 rows; SIMD lanes side by side in a row
//   scratch   partial sums in registers; workspace: one number a block of rows
//   bytes     reads a once, x once a row (from cache), y once
//   teaches   what one writes without Kokkos: the twin that `team` is measured against;
//             not an OpenMP reduction, whose order of summation changes with the thread count
#include <ado/core/checks.hpp>
#include <ado/core/openmp_sum.hpp>
#include <ado/core/registry.hpp>

#include <algorithm>

namespace ado {
namespace {

constexpr std::size_t block_rows = 16;

template <class T>
T yax(const Array& y, const Array& a, const Array& x, T* partial, int threads) {
  const std::size_t rows = a.extent[0];
  const std::size_t blocks = ceil_div(rows, block_rows);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t block = 0; block < blocks; ++block) {
    T sum = 0;
    for (std::size_t i = block * block_rows; i < std::min((block + 1) * block_rows, rows); ++i) {
      const T *row = a.as<const T>() + i * a.stride[0], *factors = x.as<const T>();
      const auto product = [=](std::size_t j) { return row[j] * factors[j]; };
      sum += y.as<const T>()[i] * openmp_sum<T>(a.extent[1], product);
    }
    partial[block] = sum;
  }
  T result = 0;
  for (std::size_t block = 0; block < blocks; ++block)
    result += partial[block];
  return result;
}

double rounding_steps(const Shape& s, Type type, const Launch&) {
  const double row = openmp_sum_steps(s[1], type) + 1; // with its products
  return row + 1 + block_rows + double(ceil_div(s[0], block_rows));
}

const Registration registered{Variant{
    .algorithm = "yax",
    .name = "team",
    .model = Model::openmp,
    .backend = host_backend,
    .types = real_types,
    .summary = "by hand: parallel for over blocks of rows, SIMD along rows",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_real_type(call.type, [&](auto zero) {
            using T = decltype(zero);
            *call.arrays[3].as<T>() = yax(call.arrays[0], call.arrays[1], call.arrays[2],
                                          static_cast<T*>(call.workspace), call.queue.threads);
          });
        },
    .rounding_steps = rounding_steps,
    .workspace_bytes = [](const Shape& s,
                          Type type) { return ceil_div(s[0], block_rows) * size_of(type); },
}};

} // namespace
} // namespace ado
