// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, serial: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   one thread, three loops
//   bytes     reads v once, writes mean once
//   teaches   nothing but what is computed: accumulation is wider than the result, nothing is fast
#include <ado/average/reference.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

template <class T>
void average(const Array& v, const Array& mean) {
  const auto count = static_cast<double>(v.extent[2]);
  for (std::size_t n = 0; n < v.extent[0]; ++n)
    for (std::size_t l = 0; l < v.extent[1]; ++l)
      mean.as<T>()[n * mean.stride[0] + l] =
          static_cast<T>(reference_row_sum<T>(v, n, l).sum.high() / count);
}

struct Serial {
  static constexpr std::string_view algorithm = "average", name = "serial";
  static constexpr std::string_view summary = "plain loops, wide accumulation: the oracle";
  static constexpr Model model = Model::serial;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    average<T>(call.arrays[0], call.arrays[1]);
  }
  static double rounding_steps(const Shape&, Type) { return 2; } // one division, one narrowing
};
const HostVariant<Serial> registered{__FILE__};

} // namespace
} // namespace ado::bench
