// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, openmp, team: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m]), by hand
//   mapping   two loops: threads share the N L vectors, SIMD along m; then they share tiles of y,
//             SIMD along j in blocks of 4 x 2 dot products
//   scratch   accumulators in registers; workspace: the N x L means
//   bytes     reads v and a once, writes y once; the means stay in cache where they fit
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/average/openmp.hpp>
#include <ado/core/registry.hpp>

#include <algorithm>

namespace ado {
namespace {

template <class T>
struct Problem {
  const T* v;
  std::size_t set_stride, vector_stride;
  const T* a;
  std::size_t lda;
  T* y;
  std::size_t ldy;
  T* mean;
  std::size_t sets, length, count;
};

template <class T>
void average(const Problem<T>& p, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t row = 0; row < p.sets * p.length; ++row) {
    const std::size_t n = row / p.length, l = row % p.length;
    p.mean[row] = openmp_mean(p.v + n * p.set_stride + l * p.vector_stride, p.count);
  }
}

/// Dot products of `rows` rows of a with `columns` means: each loaded register is used more than
/// once. 4 x 2 leaves half of AVX2's registers for operands.
template <int rows, int columns, class T>
void dot_block(const Problem<T>& p, std::size_t i, std::size_t n) {
  constexpr int lanes = 32 / sizeof(T);
  T sums[rows][columns][lanes] = {};
  const T* a = p.a + i * p.lda;
  const T* mean = p.mean + n * p.length;
  const std::size_t whole = p.length - p.length % lanes;
  for (std::size_t j = 0; j < whole; j += lanes)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        for (int k = 0; k < lanes; ++k)
          sums[r][c][k] += a[r * p.lda + j + k] * mean[c * p.length + j + k];
  for (std::size_t j = whole; j < p.length; ++j)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        sums[r][c][0] += a[r * p.lda + j] * mean[c * p.length + j];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      for (int half = lanes / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k)
          sums[r][c][k] += sums[r][c][k + half];
      p.y[(i + r) * p.ldy + n + c] = sums[r][c][0];
    }
}

template <class T>
void multiply(const Problem<T>& p, int threads) {
  constexpr std::size_t tile = 64; // two tiles of 1024 f32 columns fill half of a 512 KiB L2
#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(threads)
  for (std::size_t n0 = 0; n0 < p.sets; n0 += tile)
    for (std::size_t i0 = 0; i0 < p.length; i0 += tile) {
      const std::size_t n1 = std::min(n0 + tile, p.sets), i1 = std::min(i0 + tile, p.length);
      for (std::size_t n = n0; n < n1; n += 2) {
        std::size_t i = i0;
        for (; n + 2 <= n1 && i + 4 <= i1; i += 4)
          dot_block<4, 2>(p, i, n);
        for (; i < i1; ++i)
          for (std::size_t c = n; c < std::min(n + 2, n1); ++c)
            dot_block<1, 1>(p, i, c);
      }
    }
}

double rounding_steps(const Shape& s, Type type) {
  const std::size_t lanes = 32 / size_of(type);
  const std::size_t chain = s[1] / lanes + s[1] % lanes;
  const double product = static_cast<double>(chain) + tree_depth(lanes) + 1;
  return openmp_mean_steps(s[2], type) + product;
}

const Registration registered{Variant{
    .algorithm = "average_mv",
    .name = "team",
    .model = Model::openmp,
    .backend = host_backend,
    .types = real_types,
    .summary = "by hand: parallel for over vectors, then over tiles of y",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_real_type(call.type, [&](auto zero) {
            using T = decltype(zero);
            const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
            const Problem<T> p{
                v.as<const T>(), v.stride[0], v.stride[1], a.as<const T>(),
                a.stride[0],     y.as<T>(),   y.stride[0], static_cast<T*>(call.workspace),
                v.extent[0],     v.extent[1], v.extent[2]};
            average(p, call.queue.threads);
            multiply(p, call.queue.threads);
          });
        },
    .rounding_steps = rounding_steps,
    .workspace_bytes =
        [](const Shape& s, Type type) {
          return checked_product({s[0], s[1], size_of(type)}, "average_mv[openmp]: workspace");
        },
}};

} // namespace
} // namespace ado
