// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, vendor, eigen: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   Eigen's product of a matrix and a vector, then its dot(). Both are SIMD on one
//             thread: Eigen shares only products of two matrices among threads
//   scratch   workspace: a x, one number per row
//   bytes     reads a, x and y once, writes and reads a x in between
//   needs     Eigen
//   teaches   the yardstick on the CPU: what two expressions of a library give
#include <ado/core/checks.hpp>
#include <ado/host/eigen.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

struct EigenYax {
  static constexpr std::string_view algorithm = "yax", name = "eigen";
  static constexpr std::string_view summary = ADO_EIGEN_NAME ": y.dot(a * x), on one thread";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = a.extent[0], columns = a.extent[1];
    auto product = eigen_vector(static_cast<T*>(call.workspace), rows);
    product.noalias() = eigen_matrix(a.as<const T>(), rows, columns, a.stride[0]) *
                        eigen_vector(x.as<const T>(), columns);
    *call.arrays[3].as<T>() = eigen_vector(y.as<const T>(), rows).dot(product);
  }
  static double rounding_steps(const Shape& s, Type) {
    // Eigen may sum in any order.
    return double(s[1]) + 1 + double(s[0]) + 1;
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], size_of(type)}, "yax[eigen]: workspace");
  }
};
const HostVariant<EigenYax> registered{__FILE__};

} // namespace
} // namespace ado::bench
