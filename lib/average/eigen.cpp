// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, vendor, eigen: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   Eigen's rowwise().sum() of each set; Eigen's sums are SIMD, on one thread
//   bytes     reads v once, writes mean once
//   needs     Eigen
//   teaches   the yardstick on the CPU: what one expression of a library gives
#include <ado/average/eigen.hpp>
#include <ado/core/registry.hpp>

namespace ado {
namespace {

const Registration registered{Variant{
    .algorithm = "average",
    .name = "eigen",
    .model = Model::vendor,
    .backend = host_backend,
    .types = real_types,
    .summary = ADO_EIGEN_NAME ": rowwise().sum(), on one thread",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_real_type(call.type, [&](auto zero) {
            using T = decltype(zero);
            eigen_average(call.arrays[0], call.arrays[1].as<T>(), call.arrays[1].stride[0]);
          });
        },
    .rounding_steps = [](const Shape& s, Type, const Launch&) { return eigen_average_steps(s); },
}};

} // namespace
} // namespace ado
