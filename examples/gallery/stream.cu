// stream, cuda: copy, scale, add and triad
//   mapping   plain: a thread for each element; wide: a thread for each 16 bytes
//   bytes     reads each input once, writes the output once
#include "stream.hpp"
#include <ado/cuda/variant.hpp>

namespace stream {

constexpr unsigned block = 256;

inline unsigned blocks(std::size_t threads) {
  return unsigned(threads / block + 1); // one more, so that it is never none
}

template <class Loop, class T>
__global__ void plain_kernel(Arrays<Loop, T> arrays) {
  const std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x;
  if (i < arrays.n) arrays.compute(i);
}

template <class Loop>
struct PlainInCuda : Names<Loop> {
  static constexpr std::string_view name = "plain", summary = "a thread for each element";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    plain_kernel<<<blocks(call.shape[0]), block, 0, stream>>>(Arrays<Loop, T>(call));
  }
};

/// 16 bytes, which one instruction moves.
template <class T>
struct alignas(16) SixteenBytes {
  T slot[16 / sizeof(T)];
};

template <class Loop, class T>
__global__ void wide_kernel(Arrays<Loop, T> arrays) {
  constexpr std::size_t size = 16 / sizeof(T);
  const std::size_t i = (std::size_t(blockIdx.x) * block + threadIdx.x) * size;
  if (i + size > arrays.n) {
    for (std::size_t k = i; k < arrays.n; ++k)
      arrays.compute(k);
    return;
  }
  const auto a = *reinterpret_cast<const SixteenBytes<T>*>(arrays.a + i);
  const auto b = Loop::inputs == 2 ? *reinterpret_cast<const SixteenBytes<T>*>(arrays.b + i) : a;
  SixteenBytes<T> c;
  for (std::size_t k = 0; k < size; ++k)
    c.slot[k] = Loop::of(a.slot[k], b.slot[k], T(scalar));
  *reinterpret_cast<SixteenBytes<T>*>(arrays.c + i) = c;
}

template <class Loop>
struct WideInCuda : Names<Loop> {
  static constexpr std::string_view name = "wide", summary = "a thread for each 16 bytes";

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    const Arrays<Loop, T> arrays(call);
    wide_kernel<<<blocks((arrays.n * sizeof(T) + 15) / 16), block, 0, stream>>>(arrays);
  }
};

template <class Loop>
struct RegisteredInCuda {
  bench::CudaVariant<PlainInCuda<Loop>> plain{__FILE__};
  bench::CudaVariant<WideInCuda<Loop>> wide{__FILE__};
};
const RegisteredInCuda<Copy> copy;
const RegisteredInCuda<Scale> scale;
const RegisteredInCuda<Add> add;
const RegisteredInCuda<Triad> triad;

} // namespace stream
