// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_thread_left: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   that of row_per_thread: block = 256 rows, thread = one row from left to right; but a
//             is read from a column-major copy, left[j * rows + i]
//   scratch   8 elements of shared memory; workspace: the copy, then one element a block
//   bytes     reads the copy once, x once a row (from L1), y once; the lanes of a warp read
//             neighbouring elements of a column. The copy is made before the time runs, as a
//             program that wants this layout holds a in it from the start
//   needs     as much memory again as a takes
//   teaches   against row_per_thread: only the layout, and each load of a warp is one coalesced
//             access. (Reading a row-major a by its columns without a copy would compute with its
//             transpose, right only where a is symmetric)
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/left_copy.cuh>

namespace ado::bench::native {
namespace {

struct RowPerThreadLeft {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread_left";
  static constexpr std::string_view summary = "a thread a row of a column-major copy: coalesced";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread_left(s, type);
  }
  template <class T>
  static void prepare(const Call& call, cudaStream_t stream) {
    make_left_copy<T>(call, stream);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_on_left_copy<T>("row_per_thread_left", row_per_thread<true, T>, call, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return row_per_thread_steps(s[0], s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return left_copy_bytes<T>(s, "yax[row_per_thread_left]: workspace");
  }
};
const CudaVariant<RowPerThreadLeft> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
