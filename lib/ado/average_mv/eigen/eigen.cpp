// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, vendor, eigen: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   Eigen's rowwise().sum() of each set, on one thread; then one matrix product, which
//             Eigen shares among OpenMP's threads
//   scratch   Eigen's own, from the heap; workspace: the N x L means
//   bytes     reads v once, a and the means as Eigen chooses, writes y once
//   needs     Eigen
//   teaches   the yardstick on the CPU: what two expressions of a library give
#include <ado/average/eigen.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

struct EigenAverageMv {
  static constexpr std::string_view algorithm = "average_mv", name = "eigen";
  static constexpr std::string_view summary =
      ADO_EIGEN_NAME ": rowwise().sum() on one thread, then one product on all";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    const Array &a = call.arrays[1], &y = call.arrays[2];
    const std::size_t sets = call.shape[0], length = call.shape[1];
    T* const mean = static_cast<T*>(call.workspace);
    eigen_average(call.arrays[0], mean, length);
    if (sets == 0 || length == 0) return;
    Eigen::setNbThreads(call.queue.threads);
    eigen_matrix(y.as<T>(), length, sets, y.stride[0]).noalias() =
        eigen_matrix(a.as<const T>(), length, length, a.stride[0]) *
        eigen_matrix(static_cast<const T*>(mean), sets, length, length).transpose();
  }
  static double rounding_steps(const Shape& s, Type) {
    return eigen_average_steps(s) + double(s[1]);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], s[1], size_of(type)}, "average_mv[eigen]: workspace");
  }
};
const HostVariant<EigenAverageMv> registered{__FILE__};

} // namespace
} // namespace ado::bench
