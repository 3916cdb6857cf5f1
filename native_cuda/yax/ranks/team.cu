// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on many ranks, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j], rows dealt
// out
//   mapping   each rank sums its tiles of the whole as team of one process; all get all sums, and
//             each adds them by the same kernel in the same order
//   scratch   that of team; workspace of one number a tile of the whole
//   bytes     reads the rank's rows once; sends one number a tile to each other rank
//   needs     nothing; GPUs that reach each other's memory write into it, others send messages
//             through the host
//   teaches   the twin that kokkos/team on ranks is measured against; its bits do not depend on the
//             number of ranks
#include <ado/cuda/variant.hpp>

#include <native_cuda/yax/ranks/ranks.cuh>

namespace ado::bench::native {
namespace {

struct Team {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary =
      "by hand: tiles of the whole; all ranks add all sums in order";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const Comm& comm = comm_of(call);
    yax_of_ranks(comm,
                 YaxRows<T>{a.extent[0], a.extent[1], y.as<const T>(), a.as<const T>(), a.stride[0],
                            x.as<const T>()},
                 yax_rows(call.shape, comm.size()), call.arrays[3].as<T>(),
                 static_cast<T*>(call.workspace), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return yax_rounding_steps<T>(s[0], s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return yax_of_ranks_numbers<T>(s[0], s[1]) * sizeof(T);
  }
};
const CudaVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
