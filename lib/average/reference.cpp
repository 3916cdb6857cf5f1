// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, serial: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   one thread, three loops
//   bytes     reads v once, writes mean once
//   teaches   nothing but what is computed: accumulation is wider than the result, nothing is fast
#include <ado/average/reference.hpp>
#include <ado/core/registry.hpp>

namespace ado {
namespace {

template <class T>
void average(const Array& v, const Array& mean) {
  const auto count = static_cast<double>(v.extent[2]);
  for (std::size_t n = 0; n < v.extent[0]; ++n)
    for (std::size_t l = 0; l < v.extent[1]; ++l)
      mean.as<T>()[n * mean.stride[0] + l] =
          static_cast<T>(reference_row_sum<T>(v, n, l).sum.high() / count);
}

const Registration registered{Variant{
    .algorithm = "average",
    .name = "serial",
    .model = Model::serial,
    .backend = host_backend,
    .types = real_types,
    .summary = "plain loops, wide accumulation: the oracle",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_real_type(call.type, [&](auto zero) {
            average<decltype(zero)>(call.arrays[0], call.arrays[1]);
          });
        },
    .rounding_steps = [](const Shape&, Type,
                         const Launch&) { return 2.0; }, // one division, one narrowing
}};

} // namespace
} // namespace ado
