// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, serial: c[i] = a[i] + b[i]
//   mapping   one thread, one loop
//   bytes     reads a and b once, writes c once
//   teaches   what is computed
#include <ado/core/registry.hpp>
#include <ado/vector_add/call_vectors.hpp>

namespace ado {
namespace {

const Registration registered{Variant{
    .algorithm = "vector_add",
    .name = "serial",
    .model = Model::serial,
    .backend = host_backend,
    .types = addend_types,
    .summary = "a plain loop: the oracle",
    .file = __FILE__,
    .run =
        [](const Call& call) {
          with_addend(call.type, [&](auto zero) {
            const auto v = vectors_of<decltype(zero)>(call);
            for (std::size_t i = 0; i < v.n; ++i)
              v.c[i] = v.a[i] + v.b[i];
          });
        },
    .rounding_steps = [](const Shape&, Type, const Launch&) { return 1.0; },
}};

} // namespace
} // namespace ado
