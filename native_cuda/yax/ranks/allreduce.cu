// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on many ranks, allreduce: result = sum over i of y[i] * sum over j of a[i][j] * x[j], rows
// dealt out
//   mapping   each rank computes its rows' share by team of one process; MPI_Allreduce adds the
//             shares
//   scratch   that of team; workspace of a counter and one number a tile of the rank's rows
//   bytes     reads the rank's rows once; sends one number
//   needs     nothing
//   teaches   the twin that kokkos/allreduce is measured against
#include <ado/cuda/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/yax/ranks/ranks.cuh>
#include <native_cuda/yax/yax.hpp>

#include <algorithm>
#include <memory>

namespace ado::bench::native {
namespace {

struct Allreduce {
  static constexpr std::string_view algorithm = "yax", name = "allreduce";
  static constexpr std::string_view summary = "by hand: each rank its share, one MPI_Allreduce";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    auto& memory =
        comm_of(call).kept<RankMemory<true>>([] { return std::make_shared<RankMemory<true>>(); });
    memory.reserve(sizeof(T));
    T* const share = reinterpret_cast<T*>(memory.data()); // page-locked: the kernel writes there
    yax(a.extent[0], a.extent[1], y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(),
        share, call.workspace, stream);
    check(cudaStreamSynchronize(stream), "waiting for the share");
    distributed::detail::check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, share, 1, sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE,
                      MPI_SUM, comm_of(call).mpi()),
        "MPI_Allreduce");
    check(cudaMemcpyAsync(call.arrays[3].data, share, sizeof(T), cudaMemcpyHostToDevice, stream),
          "copying the result");
  }
  template <class T>
  static void prepare(const Call& call, cudaStream_t stream) {
    yax_prepare(call.workspace, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    double most = 0;
    const Blocks rows = yax_rows(s, count_of_ranks());
    for (int rank = 0; rank < rows.parts(); ++rank)
      most = std::max(most, yax_rounding_steps<T>(rows.count(rank), s[1]));
    return most + rows.parts(); // MPI may add them one after the other
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    std::size_t most = 0;
    const Blocks rows = yax_rows(s, count_of_ranks());
    for (int rank = 0; rank < rows.parts(); ++rank)
      most = std::max(most, yax_workspace_bytes<T>(rows.count(rank), s[1]));
    return most;
  }
};
const CudaVariant<Allreduce> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
