// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, openmp, team: c[i] = a[i] + b[i], by hand for CPUs
//   mapping   a contiguous share per thread; SIMD lanes side by side in it
//   scratch   none
//   bytes     reads a and b once, writes c once, bypassing the caches if c is large (detail/host.hpp)
//   shares    `kokkos/team` runs the same loop on a CPU, so their ratio shows only the dispatch
//   teaches   what a C++ programmer writes without Kokkos: the twin that every CPU rung is measured
//             against
#include <ado/host/variant.hpp>
#include <ado/vector_add/call_vectors.hpp>
#include <ado/vector_add/detail/host.hpp>
#include <ado/vector_add/variant.hpp>

namespace ado {
namespace {

template <class T>
void vector_add(const Vectors<T>& v, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int thread = 0; thread < threads; ++thread)
    host_add::add_share(v, static_cast<std::size_t>(thread), static_cast<std::size_t>(threads));
}

struct Team : VectorAddVariant {
  static constexpr std::string_view name = "team";
  static constexpr std::string_view summary =
      "by hand: a contiguous share a thread, streamed stores";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "detail/host.hpp";

  static void run(const Call& call) {
    with_addend(call.type, [&](auto zero) {
      vector_add(vectors_of<decltype(zero)>(call), call.queue.threads);
    });
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado
