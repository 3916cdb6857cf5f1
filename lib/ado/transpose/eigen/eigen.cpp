// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, vendor, eigen: b[j][i] = a[i][j]
//   mapping   Eigen's assignment of a.transpose(): element by element in the order of b, on one
//             thread
//   bytes     reads a once, writes b once
//   needs     Eigen
//   teaches   the yardstick on the CPU: what one expression of a library gives
#include <ado/core/elements.hpp>
#include <ado/host/eigen.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

struct EigenTranspose {
  static constexpr std::string_view algorithm = "transpose", name = "eigen";
  static constexpr std::string_view summary = ADO_EIGEN_NAME ": b = a.transpose(), on one thread";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = all_types;

  static void run(const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      const Array &a = call.arrays[0], &b = call.arrays[1];
      eigen_matrix(b.as<E>(), b.extent[0], b.extent[1], b.stride[0]) =
          eigen_matrix(a.as<const E>(), a.extent[0], a.extent[1], a.stride[0]).transpose();
    });
  }
};
const HostVariant<EigenTranspose> registered{__FILE__};

} // namespace
} // namespace ado::bench
