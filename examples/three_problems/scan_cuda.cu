// scan, cuda, plain: one pass, in which a block looks back at the sums of those before it
//   mapping   blocks take tiles in the order in which they start; a warp scans its part of the tile
//             in registers, 16 bytes for each thread at a time
//   bytes     reads a once, writes b once
//   teaches   a block needs no second pass if it can wait for those before it, which have started
//             (D. Merrill, M. Garland, Single-pass Parallel Prefix Scan, 2016)
#include "scan.hpp"
#include <ado/cuda/variant.hpp>

#include <cuda/atomic>

namespace scan {

namespace bench = ado::bench;

constexpr unsigned block = 256, warps = block / 32, rounds = 4;

/// 16 bytes, which one instruction moves.
template <class T>
struct alignas(16) Vector {
  static constexpr unsigned size = 16 / sizeof(T);
  T slot[size];
};
template <class T>
constexpr std::size_t of_warp = 32 * Vector<T>::size* rounds;
template <class T>
constexpr std::size_t of_tile = of_warp<T>* warps;

template <class T>
__device__ Vector<T> load(const T* a, std::size_t i, std::size_t n) {
  if (i + Vector<T>::size <= n) return *reinterpret_cast<const Vector<T>*>(a + i);
  Vector<T> v{};
  for (unsigned k = 0; i + k < n; ++k)
    v.slot[k] = a[i + k];
  return v;
}
template <class T>
__device__ void store(T* b, std::size_t i, std::size_t n, const Vector<T>& v) {
  if (i + Vector<T>::size <= n)
    *reinterpret_cast<Vector<T>*>(b + i) = v;
  else
    for (unsigned k = 0; i + k < n; ++k)
      b[i + k] = v.slot[k];
}

/// What the tiles tell each other: their own sums, then those of all tiles up to them.
template <class T>
class Tiles {
public:
  enum Known : unsigned { nothing, own_sum, sum_up_to_here };

  Tiles(void* workspace, unsigned count)
      : sums_(static_cast<T*>(workspace)),
        sums_up_to_(sums_ + count),
        known_(reinterpret_cast<unsigned*>(sums_up_to_ + count)),
        next_(known_ + count) {}
  static std::size_t bytes(std::size_t count) { return count * (2 * sizeof(T) + 4) + 4; }
  /// Before each run.
  void clear(unsigned count, cudaStream_t stream) const {
    cudaMemsetAsync(known_, 0, (count + 1) * sizeof *known_, stream);
  }

  __device__ unsigned take() const { return atomicAdd(next_, 1u); }
  __device__ void tell(unsigned tile, Known known, T sum) const {
    (known == own_sum ? sums_ : sums_up_to_)[tile] = sum;
    flag(tile).store(known, cuda::memory_order_release);
  }
  /// The sum of all tiles before this one, by the 32 threads of a warp.
  __device__ T sum_before(unsigned tile, unsigned lane) const {
    T sum = 0;
    for (std::int64_t last = std::int64_t(tile) - 1;; last -= 32) {
      const std::int64_t k = last - lane;
      unsigned known = sum_up_to_here; // 0, before the first tile
      T value = 0;
      if (k >= 0) {
        do
          known = flag(unsigned(k)).load(cuda::memory_order_acquire);
        while (known == nothing);
        value = (known == own_sum ? sums_ : sums_up_to_)[k];
      }
      const unsigned ends = __ballot_sync(~0u, known == sum_up_to_here);
      if (ends != 0 && lane > unsigned(__ffs(int(ends)) - 1)) value = 0;
      for (unsigned d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(~0u, value, d);
      sum += value;
      if (ends != 0) return sum;
    }
  }

private:
  __device__ cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(unsigned tile) const {
    return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(known_[tile]);
  }
  T *sums_, *sums_up_to_;
  unsigned *known_, *next_;
};

/// Scans what a warp has in its registers, and returns its sum.
template <class T>
__device__ T scan_warp(Vector<T> (&v)[rounds], unsigned lane) {
  T sum = 0;
  for (unsigned r = 0; r < rounds; ++r) {
    for (unsigned k = 1; k < Vector<T>::size; ++k)
      v[r].slot[k] += v[r].slot[k - 1];
    const T mine = v[r].slot[Vector<T>::size - 1];
    T up_to = mine;
    for (unsigned d = 1; d < 32; d *= 2) {
      const T other = __shfl_up_sync(~0u, up_to, d);
      if (lane >= d) up_to += other;
    }
    for (T& slot : v[r].slot)
      slot += sum + up_to - mine;
    sum += __shfl_sync(~0u, up_to, 31);
  }
  return sum;
}

template <class T>
__global__ __launch_bounds__(block) void kernel(const T* a, T* b, std::size_t n, Tiles<T> tiles) {
  __shared__ unsigned taken;
  __shared__ T sums[warps], before_tile;
  if (threadIdx.x == 0) taken = tiles.take();
  __syncthreads();
  const unsigned tile = taken, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::size_t first = tile * of_tile<T> + warp * of_warp<T> + lane * Vector<T>::size;
  Vector<T> v[rounds];
  for (unsigned r = 0; r < rounds; ++r)
    v[r] = load(a, first + r * 32 * Vector<T>::size, n);
  const T of_this_warp = scan_warp(v, lane);
  if (lane == 0) sums[warp] = of_this_warp;
  __syncthreads();
  T before = 0, all = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < warp) before += sums[w];
    all += sums[w];
  }
  if (warp == 0) {
    if (lane == 0 && tile != 0) tiles.tell(tile, Tiles<T>::own_sum, all);
    const T sum = tiles.sum_before(tile, lane);
    if (lane == 0) {
      tiles.tell(tile, Tiles<T>::sum_up_to_here, sum + all);
      before_tile = sum;
    }
  }
  __syncthreads();
  before += before_tile;
  for (unsigned r = 0; r < rounds; ++r) {
    for (T& slot : v[r].slot)
      slot += before;
    store(b, first + r * 32 * Vector<T>::size, n, v[r]);
  }
}

struct ScanInCuda : ScanVariant {
  static constexpr std::string_view name = "plain", summary = "one pass that looks back";

  static std::size_t workspace_bytes(const bench::Shape& s, bench::Type type) {
    std::size_t bytes = 0;
    with_unsigned(type, [&]<class T>(T) { bytes = Tiles<T>::bytes(tiles<T>(s[0])); });
    return bytes;
  }
  static void run(const bench::Call& call, cudaStream_t stream) {
    const std::size_t n = call.shape[0];
    with_unsigned(call.type, [&]<class T>(T) {
      const Tiles<T> all(call.workspace, tiles<T>(n));
      all.clear(tiles<T>(n), stream);
      if (n != 0)
        kernel<<<tiles<T>(n), block, 0, stream>>>(call.arrays[0].as<const T>(),
                                                  call.arrays[1].as<T>(), n, all);
    });
  }

private:
  template <class T>
  static unsigned tiles(std::size_t n) {
    return unsigned((n + of_tile<T> - 1) / of_tile<T>);
  }
};
const bench::CudaVariant<ScanInCuda> registered{__FILE__};

} // namespace scan
