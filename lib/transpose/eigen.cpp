// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, vendor, eigen: b[j][i] = a[i][j]
//   mapping   Eigen's assignment of a.transpose(): element by element in the order of b, on one
//             thread
//   bytes     reads a once, writes b once
//   needs     Eigen
//   teaches   the yardstick on the CPU: what one expression of a library gives
#include <ado/core/eigen.hpp>
#include <ado/core/elements.hpp>
#include <ado/core/registry.hpp>

namespace ado {
namespace {

const Registration registered{Variant{
    .algorithm = "transpose",
    .name = "eigen",
    .model = Model::vendor,
    .backend = host_backend,
    .types = all_types,
    .summary = ADO_EIGEN_NAME ": b = a.transpose(), on one thread",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_element(size_of(call.type), [&](auto element) {
            using E = decltype(element);
            const Array &a = call.arrays[0], &b = call.arrays[1];
            eigen_matrix(b.as<E>(), b.extent[0], b.extent[1], b.stride[0]) =
                eigen_matrix(a.as<const E>(), a.extent[0], a.extent[1], a.stride[0]).transpose();
          });
        },
    .rounding_steps = [](const Shape&, Type, const Launch&) { return 0.0; },
}};

} // namespace
} // namespace ado
