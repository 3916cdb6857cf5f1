// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, coalesced: c[i] = a[i] + b[i]
//   mapping   thread = an element, or with --league-size every element that comes to it in turn;
//             lanes side by side
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     any alignment; up to 2^24 blocks
//   teaches   against strided: neighbouring lanes touch neighbouring elements, so a sector of 32
//             bytes is moved once and used whole. Left: a load brings one element, and a thread has
//             two in flight; with --league-size few blocks show how many it takes
#include <ado/vector_add/variant.hpp>

#include <native_cuda/vector_add/elements.cuh>

namespace ado::bench::native {
namespace {

struct Coalesced : VectorAddByElements {
  static constexpr std::string_view name = "coalesced";
  static constexpr std::string_view summary = "neighbouring lanes, neighbouring elements";
  static constexpr bool takes_league_size = true;

  static void run(const Call& call, cudaStream_t stream) {
    with_addend(call.type, [&](auto zero) {
      launch_elements<decltype(zero)>("vector_add_coalesced", call, stream);
    });
  }
};
const CudaVariant<Coalesced> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
