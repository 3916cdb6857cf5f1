// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, openmp, team: mean[n][l] = (sum over m of v[n][l][m]) / M, by hand for CPUs
//   mapping   threads share the (n, l) vectors; SIMD lanes side by side in m
//   scratch   64 (f32) or 32 (f64) partial sums in registers
//   bytes     reads v once, writes mean once
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/average/openmp.hpp>
#include <ado/core/registry.hpp>

namespace ado {
namespace {

template <class T>
void average(const Array& v, const Array& mean, int threads) {
  const std::size_t lengths = v.extent[1];
  const std::size_t rows = v.extent[0] * lengths;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t n = row / lengths, l = row % lengths;
    const T* values = v.as<const T>() + n * v.stride[0] + l * v.stride[1];
    mean.as<T>()[n * mean.stride[0] + l] = openmp_mean(values, v.extent[2]);
  }
}

const Registration registered{Variant{
    .algorithm = "average",
    .name = "team",
    .model = Model::openmp,
    .backend = host_backend,
    .types = real_types,
    .summary = "by hand: parallel for over vectors, SIMD along m",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_real_type(call.type, [&](auto zero) {
            average<decltype(zero)>(call.arrays[0], call.arrays[1], call.queue.threads);
          });
        },
    .rounding_steps = [](const Shape& s, Type t) { return openmp_mean_steps(s[2], t); },
}};

} // namespace
} // namespace ado
