// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, serial: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   one thread: the means of a set, then its column of y
//   bytes     reads v once, a once a set, writes y once
//   teaches   what is computed: accumulation is wider than the result, nothing is fast
#include <ado/average_mv/reference.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

template <class T>
void average_mv(const Array& v, const Array& a, const Array& y) {
  const std::size_t lengths = v.extent[1];
  const auto count = static_cast<double>(v.extent[2]);
  std::vector<OracleSum<T>> sums(lengths);
  for (std::size_t n = 0; n < v.extent[0]; ++n) {
    for (std::size_t l = 0; l < lengths; ++l)
      sums[l] = reference_row_sum<T>(v, n, l);
    for (std::size_t i = 0; i < lengths; ++i)
      y.as<T>()[i * y.stride[0] + n] =
          static_cast<T>(reference_product_row<T>(a, sums.data(), i).sum.high() / count);
  }
}

struct Serial {
  static constexpr std::string_view algorithm = "average_mv", name = "serial";
  static constexpr std::string_view summary = "plain loops, wide accumulation: the oracle";
  static constexpr Model model = Model::serial;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    average_mv<T>(call.arrays[0], call.arrays[1], call.arrays[2]);
  }
  static double rounding_steps(const Shape&, Type) { return 2; } // one division, one narrowing
};
const HostVariant<Serial> registered{__FILE__};

} // namespace
} // namespace ado::bench
