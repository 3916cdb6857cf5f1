// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, team: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   first average, team, into the workspace; then one kernel for the product a * mean^T
//             (product.cuh). Sets of few short vectors: one kernel for both (fused.cuh)
//   scratch   see there; workspace N x L for the means, and the sums of all splits
//   bytes     reads v and a once from memory, writes y once; the means and re-reads stay in L2
//   needs     any alignment, any size
//   teaches   against block_per_set: all of v is read at full rate, and a is read once a tile of
//             sets instead of once a set
#include <ado/average/rows_of_call.hpp>
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average/average.hpp>
#include <native_cuda/average_mv/average_mv.hpp>
#include <native_cuda/average_mv/fused.cuh>
#include <native_cuda/average_mv/product.cuh>

#include <algorithm>

namespace ado::bench::native {

template <class T>
std::size_t average_mv_workspace_bytes(std::size_t sets, std::size_t length, std::size_t count) {
  return round_up(sets * length * sizeof(T), 256) +
         std::max(average_workspace_bytes<T>(sets, length, count),
                  detail::product_plan::split_bytes(length, sets, length));
}

template <class T>
void average_mv(std::size_t sets, std::size_t length, std::size_t count, const T* v,
                std::size_t set_stride, std::size_t vector_stride, const T* a, std::size_t lda,
                T* y, std::size_t ldy, void* workspace, cudaStream_t stream,
                std::size_t sets_of_all) {
  T* const mean = static_cast<T*>(workspace);
  if (sets_of_all == 0) sets_of_all = sets;
  // What averaging needs is used up when the product begins.
  void* const rest = static_cast<char*>(workspace) + round_up(sets * length * sizeof(T), 256);
  const Product<T> p{.a = a,
                     .lda = lda,
                     .mean = mean,
                     .y = y,
                     .y_row = ldy,
                     .y_column = 1,
                     .length = length,
                     .sets = sets,
                     .sets_of_all = sets_of_all,
                     .split_sums = static_cast<double*>(rest)};
  if (are_fused<T>(sets_of_all, length, count))
    return average_and_multiply(
        SetVectors<T>{v, set_stride, vector_stride, static_cast<unsigned>(count)}, p, stream);
  average(sets, length, count, v, set_stride, vector_stride, mean, length, rest, stream,
          sets_of_all * length);
  product(p, stream);
}

template std::size_t average_mv_workspace_bytes<float>(std::size_t, std::size_t, std::size_t);
template std::size_t average_mv_workspace_bytes<double>(std::size_t, std::size_t, std::size_t);
template void average_mv(std::size_t, std::size_t, std::size_t, const float*, std::size_t,
                         std::size_t, const float*, std::size_t, float*, std::size_t, void*,
                         cudaStream_t, std::size_t);
template void average_mv(std::size_t, std::size_t, std::size_t, const double*, std::size_t,
                         std::size_t, const double*, std::size_t, double*, std::size_t, void*,
                         cudaStream_t, std::size_t);

namespace {

struct AverageMvTeam {
  static constexpr std::string_view algorithm = "average_mv", name = "team";
  static constexpr std::string_view summary =
      "best: averaging at the read ceiling, then one tiled product for all sets";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    const auto [sets, length, count] = call.shape;
    average_mv(sets, length, count, v.as<const T>(), v.stride[0], v.stride[1], a.as<const T>(),
               a.stride[0], y.as<T>(), y.stride[0], call.workspace, stream, sets_of_all(call));
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return average_rounding_steps<T>(s[0], s[1], s[2]) + product_steps<T>(s[0], s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return average_mv_workspace_bytes<T>(s[0], s[1], s[2]);
  }
};
const CudaVariant<AverageMvTeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
