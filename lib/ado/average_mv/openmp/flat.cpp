// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, openmp, flat: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   threads share the sets; each adds up a vector from m = 0 on
//   scratch   none; workspace: the means of all sets
//   bytes     reads v and the rows of a in memory order; a once per set, from cache
//   teaches   against m_outer: loops in memory order. Each sum is still one chain of additions,
//             which no compiler may vectorize; `team` has several sums at once
#include <ado/average_mv/set_means.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

template <class T>
void average_mv(const Array& v, const Array& a, const Array& y, T* means, int threads) {
  const std::size_t length = v.extent[1], count = v.extent[2];
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t n = 0; n < v.extent[0]; ++n) {
    const T* set = v.as<const T>() + n * v.stride[0];
    T* mean = means + n * length;
    for (std::size_t l = 0; l < length; ++l) {
      T sum = 0;
      for (std::size_t m = 0; m < count; ++m)
        sum += set[l * v.stride[1] + m];
      mean[l] = sum / static_cast<T>(count);
    }
    for (std::size_t i = 0; i < length; ++i) {
      T sum = 0;
      for (std::size_t j = 0; j < length; ++j)
        sum += a.as<const T>()[i * a.stride[0] + j] * mean[j];
      y.as<T>()[i * y.stride[0] + n] = sum;
    }
  }
}

struct Flat {
  static constexpr std::string_view algorithm = "average_mv", name = "flat";
  static constexpr std::string_view summary = "by hand: threads share the sets";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    average_mv(call.arrays[0], call.arrays[1], call.arrays[2], static_cast<T*>(call.workspace),
               call.queue.threads);
  }
  static double rounding_steps(const Shape& s, Type) {
    return set_rounding_steps(s[1], s[2], 1, 1);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], s[1], size_of(type)}, "average_mv[flat]: workspace");
  }
};
const HostVariant<Flat> registered{__FILE__};

} // namespace
} // namespace ado::bench
