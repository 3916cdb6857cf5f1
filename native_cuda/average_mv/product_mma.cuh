// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv by tensor cores, which multiply and add doubles as exactly as other
// instructions do, and twice as fast: a warp has tiles of 16 x 8 elements of y in registers. Floats
// become doubles on their way into registers, so that their sums are rounded once, at the end.
#pragma once

#include <native_cuda/average_mv/product_stages.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::bench::native {

/// sum += a * b of 16 x 8 and 8 x 8 doubles by a warp. Lane t has of sum rows t / 4 and t / 4 + 8
/// at columns 2 (t % 4) and the next; of a rows t / 4 and t / 4 + 8 at column t % 4, then the same
/// at t % 4 + 4; of b column t / 4 at rows t % 4 and t % 4 + 4 (PTX ISA, mma.m16n8k8; of m8n8k4 it
/// is four). To be run where tensor_cores_multiply() only.
inline __device__ void tensor_multiply_add(double (&sum)[4], const double (&a)[4],
                                           const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
  for (int k = 0; k < 4; ++k)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(sum[k % 2 * 2]), "+d"(sum[k % 2 * 2 + 1])
        : "d"(a[k]), "d"(b[k / 2]));
#else
  __trap();
#endif
}

/// Whether the current device multiplies T faster on its tensor cores for doubles: doubles from
/// compute capability 8.0 on; floats where those cores are as fast as multiply-adds of floats, 9.0.
template <class T>
bool tensor_cores_multiply() {
  int device = 0, major = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "asking for the compute capability");
  return sizeof(T) == 8 ? major >= 8 : major == 9;
}

/// A lane's elements of its warp's tiles of 16 x 8, in an MmaTile. Shifted as in Copies: the
/// rows of a that the lane reads are eight apart, so all begin equally far behind a 16-byte
/// boundary, and so do those of mean.
template <class Tile, bool Shifted, class T>
class MmaSums {
  static constexpr int high = Tile::high, wide = Tile::wide, down = Tile::down;
  static constexpr int rows = Tile::rows;

public:
  __device__ MmaSums(const Product<T>& p, std::size_t i0, std::size_t n0) {
    if constexpr (Shifted) {
      a_shift_ = shift_of(row_of<Tile>(p, i0, n0, row()));
      mean_shift_ = shift_of(row_of<Tile>(p, i0, n0, rows + column()));
    }
  }

  __device__ void add(const Stage<Tile, T>& stage) {
    const int a_column = lane() % 4 + (Shifted ? a_shift_ : 0);
    const int mean_column = lane() % 4 + (Shifted ? mean_shift_ : 0);
#pragma unroll 4 // all of a stage of 128 bytes; of longer ones more would not fit the registers
    for (int j = 0; j < Stage<Tile, T>::depth; j += 8) {
      double a[high][4], b[wide][2];
#pragma unroll
      for (int r = 0; r < 2 * high; ++r)
#pragma unroll
        for (int k = 0; k < 2; ++k)
          a[r / 2][r % 2 + 2 * k] =
              static_cast<double>(stage.element[row() + 8 * r][a_column + j + k * 4]);
#pragma unroll
      for (int c = 0; c < wide; ++c)
#pragma unroll
        for (int k = 0; k < 2; ++k)
          b[c][k] =
              static_cast<double>(stage.element[rows + column() + 8 * c][mean_column + j + k * 4]);
#pragma unroll
      for (int r = 0; r < high; ++r)
#pragma unroll
        for (int c = 0; c < wide; ++c)
          tensor_multiply_add(sum_[r][c], a[r], b[c]);
    }
  }

  __device__ void store(const Product<T>& p, std::size_t i0, std::size_t n0,
                        Stage<Tile, T> (&)[Tile::stage_count]) const {
    store_to(p.y, p.y_row, p, i0, n0);
  }
  /// Stores sums of a split of the columns.
  __device__ void store_split(const Product<T>& p, std::size_t i0, std::size_t n0,
                              std::size_t split) const {
    store_to(p.split_sums + split * p.length * p.sets, p.sets, p, i0, n0);
  }

private:
  template <class To>
  __device__ void store_to(To* y, std::size_t ldy, const Product<T>& p, std::size_t i0,
                           std::size_t n0) const {
#pragma unroll
    for (int k = 0; k < high * wide * 4; ++k) {
      const int r = k / 4 / wide, c = k / 4 % wide, e = k % 4;
      const std::size_t i = i0 + row() + 16 * r + e / 2 * 8;
      const std::size_t n = n0 + column() - lane() / 4 + 8 * c + lane() % 4 * 2 + e % 2;
      if (i < p.length && n < p.sets) y[i * ldy + n] = static_cast<To>(sum_[r][c][e]);
    }
  }

  static __device__ int lane() { return threadIdx.x % 32; }
  /// What the lane reads: a row of a, a column of the product.
  static __device__ int row() { return threadIdx.x / 32 % down * 16 * high + lane() / 4; }
  static __device__ int column() { return threadIdx.x / 32 / down * 8 * wide + lane() / 4; }

  double sum_[high][wide][4] = {};
  int a_shift_ = 0, mean_shift_ = 0;
};

} // namespace ado::bench::native
