// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, openmp, team: mean[n][l] = (sum over m of v[n][l][m]) / M, by hand for CPUs
//   mapping   threads share the (n, l) vectors, or pieces of them where few are long; SIMD lanes
//             side by side in m
//   scratch   64 (f32) or 32 (f64) partial sums in registers; workspace: one number a piece
//   bytes     reads v once, writes mean once
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/average/openmp.hpp>
#include <ado/core/registry.hpp>

namespace ado {
namespace {

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
            using T = decltype(zero);
            const Array &v = call.arrays[0], &mean = call.arrays[1];
            openmp_average(v, mean.as<T>(), mean.stride[0], static_cast<T*>(call.workspace),
                           call.queue.threads);
          });
        },
    .rounding_steps = [](const Shape& s, Type t,
                         const Launch&) { return openmp_average_steps(s, t); },
    .workspace_bytes = [](const Shape& s,
                          Type t) { return openmp_average_pieces(s, t).sums() * size_of(t); },
}};

} // namespace
} // namespace ado
