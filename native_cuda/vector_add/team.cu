// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, team: c[i] = a[i] + b[i]
//   mapping   block = 1024 packs of 16 bytes (elements, where the vectors are not aligned alike);
//             thread = four of them, all loaded before the first sum is stored
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     nothing; packs where a, b and c are equally far from a boundary of 16 bytes
//   teaches   against wide: vectors that start off a boundary, but all alike, are moved in packs
//             too, behind the few elements in front of it; a thread has eight loads in flight
//             before it waits
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/vector_add/variant.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/vector_add/vector_add.hpp>

namespace ado::bench::native {
namespace {

constexpr int block_threads = 256, units_per_thread = 4;

/// Elements one by one, as packs of one.
template <class T>
struct Single {
  static constexpr int size = 1;
  using Unit = T;
  static __device__ T load(const T* from) { return *from; }
  static __device__ T add(T a, T b) { return a + b; }
  static __device__ void store(T* to, T sum) { *to = sum; }
};
template <class T>
struct Packed {
  static constexpr int size = pack_size<T>;
  using Unit = Pack<T>;
  static __device__ Unit load(const T* from) { return load_pack(from); }
  static __device__ Unit add(Unit a, const Unit& b) {
#pragma unroll
    for (int k = 0; k < size; ++k)
      a.value[k] += b.value[k];
    return a;
  }
  static __device__ void store(T* to, const Unit& sum) { store_pack(to, sum); }
};

/// `before`: elements in front of the first unit.
template <class Access, class T>
__global__ __launch_bounds__(block_threads) void vector_add_team(std::size_t n, std::size_t before,
                                                                 const T* a, const T* b, T* c) {
  constexpr int size = Access::size;
  const std::size_t units = (n - before) / size;
  const std::size_t first =
      std::size_t{blockIdx.x} * (block_threads * units_per_thread) + threadIdx.x;
  typename Access::Unit of_a[units_per_thread], of_b[units_per_thread];
#pragma unroll
  for (int u = 0; u < units_per_thread; ++u)
    if (const std::size_t unit = first + u * block_threads; unit < units) {
      of_a[u] = Access::load(a + before + unit * size);
      of_b[u] = Access::load(b + before + unit * size);
    }
#pragma unroll
  for (int u = 0; u < units_per_thread; ++u)
    if (const std::size_t unit = first + u * block_threads; unit < units)
      Access::store(c + before + unit * size, Access::add(of_a[u], of_b[u]));
  // What stands in front of the first unit and behind the last: less than two of them.
  const std::size_t whole = units * size;
  if (blockIdx.x == 0 && threadIdx.x < n - whole) {
    const std::size_t i = threadIdx.x < before ? threadIdx.x : whole + threadIdx.x;
    c[i] = a[i] + b[i];
  }
}

/// Elements in front of the next boundary of 16 bytes.
template <class T>
std::size_t elements_to_boundary(const T* data) {
  return (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16 / sizeof(T);
}

} // namespace

template <class T>
void vector_add(std::size_t n, const T* a, const T* b, T* c, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t before = elements_to_boundary(c);
  const bool alike = before == elements_to_boundary(a) && before == elements_to_boundary(b);
  const auto blocks = [](std::size_t units) {
    return units == 0 ? 1 : ceil_div(units, block_threads * units_per_thread);
  };
  if (alike && before < n)
    launch("vector_add", vector_add_team<Packed<T>, T>, blocks((n - before) / pack_size<T>),
           block_threads, 0, stream, n, before, a, b, c);
  else
    launch("vector_add", vector_add_team<Single<T>, T>, blocks(n), block_threads, 0, stream, n, 0,
           a, b, c);
}
template void vector_add(std::size_t, const float*, const float*, float*, cudaStream_t);
template void vector_add(std::size_t, const double*, const double*, double*, cudaStream_t);
template void vector_add(std::size_t, const std::uint32_t*, const std::uint32_t*, std::uint32_t*,
                         cudaStream_t);
template void vector_add(std::size_t, const std::uint64_t*, const std::uint64_t*, std::uint64_t*,
                         cudaStream_t);

namespace {

struct Team : VectorAddByPacks {
  static constexpr std::string_view name = "team";
  static constexpr std::string_view summary = "packs from the first boundary on, all loads first";

  static void run(const Call& call, cudaStream_t stream) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      vector_add(call.shape[0], call.arrays[0].as<const T>(), call.arrays[1].as<const T>(),
                 call.arrays[2].as<T>(), stream);
    });
  }
};
const CudaVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
