// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, vendor, eigen: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   Eigen's rowwise().sum() of each set; Eigen's sums are SIMD, on one thread
//   bytes     reads v once, writes mean once
//   needs     Eigen
//   teaches   the yardstick on the CPU: what one expression of a library gives
#include <ado/average/eigen.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

struct EigenAverage {
  static constexpr std::string_view algorithm = "average", name = "eigen";
  static constexpr std::string_view summary = ADO_EIGEN_NAME ": rowwise().sum(), on one thread";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    eigen_average(call.arrays[0], call.arrays[1].as<T>(), call.arrays[1].stride[0]);
  }
  static double rounding_steps(const Shape& s, Type) { return eigen_average_steps(s); }
};
const HostVariant<EigenAverage> registered{__FILE__};

} // namespace
} // namespace ado::bench
