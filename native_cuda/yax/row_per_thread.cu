// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_thread: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   block = 256 rows, thread = one row from left to right; the block adds its threads'
//             y[i] * dot as a tree, a second kernel adds the blocks'
//   scratch   8 elements of shared memory; workspace of one element a block
//   bytes     reads a, x, y once in principle; the lanes of a warp stand a row apart, so each of
//             its loads touches 32 cache lines, which must stay in L1 until their last byte is
//             used
//   needs     any alignment
//   teaches   the loop nest that everybody writes first: right, deterministic, uncoalesced
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/row_per_thread.cuh>

namespace ado::bench::native {
namespace {

struct RowPerThread {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread";
  static constexpr std::string_view summary =
      "a thread a row: uncoalesced, the first honest kernel";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array& a = call.arrays[1];
    launch_row_per_thread("row_per_thread", row_per_thread<false, T>, call, a.as<const T>(),
                          a.stride[0], static_cast<T*>(call.workspace), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return row_per_thread_steps(s[0], s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return row_per_thread_blocks(s[0]) * sizeof(T);
  }
};
const CudaVariant<RowPerThread> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
