// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, serial: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   one thread, two loops
//   bytes     reads a and y once, x once a row
//   teaches   what is computed: accumulation is wider than the result, nothing is fast
#include <ado/core/registry.hpp>
#include <ado/yax/reference.hpp>

namespace ado {
namespace {

template <class T>
T yax(const Array& y, const Array& a, const Array& x) {
  OracleSum<T> total;
  for (std::size_t i = 0; i < a.extent[0]; ++i)
    reference_add_row<T>(total, y, i, reference_row_dot<T>(a, x, i));
  return static_cast<T>(total.sum.high());
}

const Registration registered{Variant{
    .algorithm = "yax",
    .name = "serial",
    .model = Model::serial,
    .backend = host_backend,
    .types = real_types,
    .summary = "plain loops, wide accumulation: the oracle",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_real_type(call.type, [&](auto zero) {
            using T = decltype(zero);
            *call.arrays[3].as<T>() = yax<T>(call.arrays[0], call.arrays[1], call.arrays[2]);
          });
        },
    .rounding_steps = [](const Shape&, Type, const Launch&) { return 1.0; }, // one narrowing
}};

} // namespace
} // namespace ado
