// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, vendor, segmented_reduce: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   cub::DeviceSegmentedReduce::Sum, a segment a vector; CUB gives each a block. The
//             iterator that it writes through divides
//   scratch   CUB's own; workspace: what CUB asks for
//   bytes     reads v once, writes mean once; where a segment starts and ends is computed
//   needs     nothing but CUB, which comes with the toolkit
//   teaches   the yardstick: what a library gives that knows neither that all vectors are of one
//             length, nor where they lie
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <cub/device/device_segmented_reduce.cuh>
#include <native_cuda/core/launch.hpp>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <climits>
#include <cstdint>

namespace ado::bench::native {
namespace {

/// Offset of element (n, l) where rows and columns lie so far apart; index = n * columns + l.
struct Place {
  std::int64_t columns, row_stride, column_stride, shift;
  __host__ __device__ std::int64_t operator()(std::int64_t index) const {
    return index / columns * row_stride + index % columns * column_stride + shift;
  }
};
auto places(std::int64_t first, const Place& place) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(first), place);
}

template <class T>
struct DivideBy {
  T count;
  __host__ __device__ T operator()(T sum) const { return sum / count; }
};

/// The sums of `rows` rows from `first` on; only says how many bytes it needs where memory is null.
template <class T>
std::size_t reduce(void* memory, std::size_t bytes, const Call& call, std::size_t first,
                   std::size_t rows, cudaStream_t stream) {
  const Array &v = call.arrays[0], &mean = call.arrays[1];
  const auto length = static_cast<std::int64_t>(call.shape[1]);
  const auto count = static_cast<std::int64_t>(call.shape[2]);
  const Place begin{length, static_cast<std::int64_t>(v.stride[0]),
                    static_cast<std::int64_t>(v.stride[1]), 0};
  const Place end{length, begin.row_stride, begin.column_stride, count};
  const Place to{length, static_cast<std::int64_t>(mean.stride[0]), 1, 0};
  const auto start = static_cast<std::int64_t>(first);
  const auto means = thrust::make_transform_output_iterator(
      thrust::make_permutation_iterator(mean.as<T>(), places(start, to)),
      DivideBy<T>{static_cast<T>(count)});
  check(cub::DeviceSegmentedReduce::Sum(memory, bytes, v.as<const T>(), means,
                                        static_cast<int>(rows), places(start, begin),
                                        places(start, end), stream),
        "average[segmented_reduce]");
  return bytes;
}

struct SegmentedReduce {
  static constexpr std::string_view algorithm = "average", name = "segmented_reduce";
  static constexpr Model model = Model::vendor;
  static constexpr std::string_view summary = "CUB's segmented sum, divided as it is written";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const std::size_t rows = call.shape[0] * call.shape[1], bytes = workspace_bytes<T>(call.shape);
    for (std::size_t first = 0; first < rows; first += most_rows)
      reduce<T>(call.workspace, bytes, call, first, std::min(rows - first, most_rows), stream);
  }
  /// How CUB sums is its own choice, so any order is allowed; the division, and M itself as a T.
  template <class T>
  static double rounding_steps(const Shape& s) {
    return static_cast<double>(s[2]) + 1;
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    const std::size_t rows = std::min(s[0] * s[1], most_rows);
    if (rows == 0) return 0;
    Call call{};
    call.shape = s;
    return reduce<T>(nullptr, 0, call, 0, rows, nullptr);
  }

private:
  static constexpr std::size_t most_rows = INT_MAX; ///< segments that CUB 2 takes at once
};
const CudaVariant<SegmentedReduce> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
