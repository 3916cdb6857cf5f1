// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, serial: b[j][i] = a[i][j]
//   mapping   one thread, two loops
//   bytes     reads a once, writes b once
//   teaches   what is computed; every write of b lands in another cache line
#include <ado/core/elements.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

template <class E>
void transpose(const Array& a, const Array& b) {
  for (std::size_t i = 0; i < a.extent[0]; ++i)
    for (std::size_t j = 0; j < a.extent[1]; ++j)
      b.as<E>()[j * b.stride[0] + i] = a.as<const E>()[i * a.stride[0] + j];
}

struct Serial {
  static constexpr std::string_view algorithm = "transpose", name = "serial";
  static constexpr std::string_view summary = "plain loops: the oracle";
  static constexpr Model model = Model::serial;
  static constexpr TypeSet types = all_types;

  static void run(const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      transpose<decltype(element)>(call.arrays[0], call.arrays[1]);
    });
  }
};
const HostVariant<Serial> registered{__FILE__};

} // namespace
} // namespace ado::bench
