// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, serial: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   one thread, two loops
//   bytes     reads a and y once, x once a row
//   teaches   what is computed: accumulation is wider than the result, nothing is fast
#include <ado/host/variant.hpp>
#include <ado/yax/reference.hpp>

namespace ado::bench {
namespace {

template <class T>
T yax(const Array& y, const Array& a, const Array& x) {
  OracleSum<T> total;
  for (std::size_t i = 0; i < a.extent[0]; ++i)
    reference_add_row<T>(total, y, i, reference_row_dot<T>(a, x, i));
  return static_cast<T>(total.sum.high());
}

struct Serial {
  static constexpr std::string_view algorithm = "yax", name = "serial";
  static constexpr std::string_view summary = "plain loops, wide accumulation: the oracle";
  static constexpr Model model = Model::serial;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    *call.arrays[3].as<T>() = yax<T>(call.arrays[0], call.arrays[1], call.arrays[2]);
  }
  static double rounding_steps(const Shape&, Type) { return 1; } // one narrowing
};
const HostVariant<Serial> registered{__FILE__};

} // namespace
} // namespace ado::bench
