// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, several: c[i] = a[i] + b[i]
//   mapping   thread = four elements one after the other, a block apart, or with --league-size
//             every four that come to it in turn
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     any alignment; up to 2^24 blocks
//   teaches   against coalesced: several elements a thread promise several loads in flight, but c
//             may be the memory of a or b for all that the compiler knows, so it loads nothing
//             before the sum in front of it is stored. read_only takes that doubt away, team writes
//             all loads first. --league-size makes the loop longer
#include <ado/vector_add/variant.hpp>

#include <native_cuda/vector_add/in_turn.cuh>

namespace ado::bench::native {
namespace {

struct Several : VectorAddByElements {
  static constexpr std::string_view name = "several";
  static constexpr std::string_view summary = "four elements a thread, each stored before the next";
  static constexpr bool takes_league_size = true;

  static void run(const Call& call, cudaStream_t stream) {
    launch_in_turn<false>("vector_add_several", call, stream);
  }
};
const CudaVariant<Several> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
