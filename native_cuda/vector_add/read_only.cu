// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, read_only: c[i] = a[i] + b[i]
//   mapping   as several; a and b are read by __ldg
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     that nothing writes to a or b while the kernel runs; up to 2^24 blocks
//   teaches   against several: the read-only path once was a cache of its own (the texture cache);
//             since Volta it is the same L1 as for every load, and no reuse is to be gained. What
//             is left of it is a promise: no store of this kernel changes a or b, so the compiler
//             may load the next elements before it stores a sum. __restrict__ on all three pointers
//             says the same
#include <ado/vector_add/variant.hpp>

#include <native_cuda/vector_add/in_turn.cuh>

namespace ado::bench::native {
namespace {

struct ReadOnly : VectorAddByElements {
  static constexpr std::string_view name = "read_only";
  static constexpr std::string_view summary = "the same through the read-only path: loads first";
  static constexpr bool takes_league_size = true;

  static void run(const Call& call, cudaStream_t stream) {
    launch_in_turn<true>("vector_add_read_only", call, stream);
  }
};
const CudaVariant<ReadOnly> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
