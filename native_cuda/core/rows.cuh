// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the kernels that sum along the rows of a matrix spread a row over threads.
//
// A row is read in stripes: one pack of 16 bytes from each of the lanes that share the row. Eight
// stripes are asked for before the first is used, because device memory runs at full rate only with
// tens of KiB in flight per multiprocessor. Where 16-byte accesses are not possible a lane reads
// the same number of elements one by one, neighbouring lanes side by side.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/registry/types.hpp>

#include <native_cuda/core/device.cuh>

#include <cstddef>
#include <type_traits>

namespace ado::bench::native {

inline constexpr int row_threads = device_team_threads; ///< threads a block
/// 16 take registers, and leave too few warps (docs/lab/constants.md#average).
inline constexpr int stripes_in_flight = 8;

/// Pieces of whole stripes.
inline RowMapping map_rows(std::size_t rows, std::size_t length, std::size_t element_bytes) {
  return detail::map_rows(false, rows, length, element_bytes, 16);
}

/// Elements that one accumulator of a lane receives, and the depth of the tree over accumulators,
/// lanes and pieces: together the longest path of a row's sum.
struct RowSteps {
  double chain;
  double tree;
};
inline RowSteps row_steps(const RowMapping& map, std::size_t element_bytes) {
  const std::size_t stripe = static_cast<std::size_t>(map.lanes) * 16 / element_bytes;
  const std::size_t parallel = map.pieces < 32 ? map.pieces : 32; // lanes that add up the pieces
  return {static_cast<double>(ceil_div(map.piece_length, stripe)),
          tree_depth(stripe) + static_cast<double>(ceil_div(map.pieces, parallel) - 1) +
              tree_depth(parallel)};
}

/// This lane's part of the stripe that starts at `stripe`. Which elements those are depends on
/// Wide, how many go to which accumulator does not.
template <int Lanes, bool Wide, class T>
__device__ Pack<T> load_stripe(const T* stripe, unsigned lane) {
  if constexpr (Wide) {
    return load_pack(stripe + lane * pack_size<T>);
  } else {
    Pack<T> pack;
#pragma unroll
    for (int k = 0; k < pack_size<T>; ++k)
      pack.value[k] = stripe[k * Lanes + lane];
    return pack;
  }
}

/// What lane_sum adds up: the elements of the row themselves ...
struct Elements {
  template <int Lanes, bool Wide, class T>
  __device__ void add(Pack<T>& sum, const Pack<T>& part, std::size_t, unsigned) const {
#pragma unroll
    for (int k = 0; k < pack_size<T>; ++k)
      sum.value[k] += part.value[k];
  }
  template <class T>
  __device__ T add(T sum, T element, std::size_t) const {
    return sum + element;
  }
};
/// ... or their products with x.
template <class T>
struct Products {
  const T* x;
  template <int Lanes, bool Wide>
  __device__ void add(Pack<T>& sum, const Pack<T>& part, std::size_t stripe, unsigned lane) const {
    const Pack<T> weight = load_stripe<Lanes, Wide>(x + stripe, lane);
#pragma unroll
    for (int k = 0; k < pack_size<T>; ++k)
      sum.value[k] = fma(part.value[k], weight.value[k], sum.value[k]);
  }
  __device__ T add(T sum, T element, std::size_t j) const { return fma(element, x[j], sum); }
};

/// Calls f(slot, stripe) for stripes 0 to `count` - 1, fewer than eight, as four, two and one of
/// them: three branches that all lanes take alike, where a condition a stripe would cost seven.
template <class F>
__device__ void by_powers(unsigned count, const F& f) {
  static_assert(stripes_in_flight == 8);
  if (count & 4) {
#pragma unroll
    for (int slot = 0; slot < 4; ++slot)
      f(slot, static_cast<unsigned>(slot));
  }
  if (count & 2) {
    f(4, count & 4);
    f(5, (count & 4) + 1);
  }
  if (count & 1) f(6, count & 6);
}

/// Sum of a pack's elements, as a tree.
template <class T>
__device__ T pack_sum(Pack<T> sum) {
#pragma unroll
  for (int width = pack_size<T> / 2; width > 0; width /= 2)
#pragma unroll
    for (int k = 0; k < width; ++k)
      sum.value[k] += sum.value[k + width];
  return sum.value[0];
}

/// One lane's part of the sum over row[0 .. length); where less than a block shares the row its
/// length must be below 2^32: 32-bit indices take half the instructions.
template <int Lanes, bool Wide, class T, class Terms>
__device__ T lane_sum(const T* row, std::size_t length, unsigned lane, const Terms& terms) {
  using Index = std::conditional_t<(Lanes < row_threads), unsigned, std::size_t>;
  constexpr unsigned stripe = pack_size<T> * Lanes;
  constexpr int in_flight = stripes_in_flight;
  Pack<T> sum{}, part[in_flight];

  const auto end = static_cast<Index>(length);
  Index j = 0;
#pragma unroll 1 // twice the body would hold twice the registers
  for (; end - j >= in_flight * stripe; j += in_flight * stripe) {
#pragma unroll
    for (int s = 0; s < in_flight; ++s)
      part[s] = load_stripe<Lanes, Wide>(row + j + s * stripe, lane);
#pragma unroll
    for (int s = 0; s < in_flight; ++s)
      terms.template add<Lanes, Wide>(sum, part[s], j + s * stripe, lane);
  }
  // Fewer than eight whole stripes and less than another one, still all in flight together.
  const auto left = static_cast<unsigned>(end - j), whole = left / stripe;
  const T* const tail = row + j;
  by_powers(whole, [&](int slot, unsigned s) {
    part[slot] = load_stripe<Lanes, Wide>(tail + s * stripe, lane);
  });
  T rest[pack_size<T>];
  const bool has_rest = left % stripe != 0;
  if (has_rest) {
#pragma unroll
    for (int k = 0; k < pack_size<T>; ++k)
      if (const unsigned e = whole * stripe + k * Lanes + lane; e < left) rest[k] = tail[e];
  }
  by_powers(whole, [&](int slot, unsigned s) {
    terms.template add<Lanes, Wide>(sum, part[slot], j + s * stripe, lane);
  });
  if (has_rest) {
#pragma unroll
    for (int k = 0; k < pack_size<T>; ++k)
      if (const unsigned e = whole * stripe + k * Lanes + lane; e < left)
        sum.value[k] = terms.add(sum.value[k], rest[k], j + e);
  }
  return pack_sum(sum);
}

/// Sum over the lanes that share a row; the first of them gets it. The whole block must call it.
template <int Lanes, class T>
__device__ T row_sum(T value) {
  if constexpr (Lanes <= 32)
    return lanes_sum<Lanes>(value);
  else
    return block_sum<Lanes>(value);
}

/// Calls f with `lanes` and `wide` as compile-time constants: f.operator()<Lanes, Wide>().
template <class F>
void with_row_mapping(int lanes, bool wide, F&& f) {
  const auto choose = [&]<bool Wide>() {
    with_constant<1, 4, 16, 32, row_threads>(
        lanes, [&](auto constant) { f.template operator()<constant, Wide>(); });
  };
  wide ? choose.template operator()<true>() : choose.template operator()<false>();
}

} // namespace ado::bench::native
