// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, serial: c[i] = a[i] + b[i]
//   mapping   one thread, one loop
//   bytes     reads a and b once, writes c once
//   teaches   what is computed
#include <ado/host/variant.hpp>
#include <ado/vector_add/call_vectors.hpp>
#include <ado/vector_add/variant.hpp>

namespace ado::bench {
namespace {

struct Serial : VectorAddVariant {
  static constexpr std::string_view name = "serial";
  static constexpr std::string_view summary = "a plain loop: the oracle";
  static constexpr Model model = Model::serial;

  static void run(const Call& call) {
    with_addend(call.type, [&](auto zero) {
      const auto v = vectors_of<decltype(zero)>(call);
      for (std::size_t i = 0; i < v.n; ++i)
        v.c[i] = v.a[i] + v.b[i];
    });
  }
};
const HostVariant<Serial> registered{__FILE__};

} // namespace
} // namespace ado::bench
