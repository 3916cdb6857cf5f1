// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, vendor, scalapack: b[j][i] = a[i][j]
//   mapping   p?tran of ScaLAPACK's PBLAS. It is column-major, so it sees a as a C x R matrix whose
//             columns are distributed over a row of processes in blocks of ceil(R / ranks)
//   scratch   the library's own
//   bytes     reads a once, writes b once, in memory; sends what others need
//   needs     ScaLAPACK for the MPI that ado was built with; every rank but the last has ceil(rows
//             / ranks) rows, or none are left, and columns likewise; two ranks always fit; at most
//             2 GiB per rank, because it counts bytes in int. It multiplies by one and adds b times
//             zero, which it skips
//   teaches   the yardstick for many CPU ranks, for block-cyclic matrices
#include <ado/core/error.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/host/blas_sizes.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/transpose/uneven.hpp>

#include <array>
#include <cstddef>
#include <string>

// No ScaLAPACK header declares these.
// NOLINTBEGIN(readability-identifier-naming): ScaLAPACK's names
extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void pdtran_(const int* m, const int* n, const double* alpha, const double* a, const int* ia,
             const int* ja, const int* of_a, const double* beta, double* c, const int* ic,
             const int* jc, const int* of_c);
void pstran_(const int* m, const int* n, const float* alpha, const float* a, const int* ia,
             const int* ja, const int* of_a, const float* beta, float* c, const int* ic,
             const int* jc, const int* of_c);
}
// NOLINTEND(readability-identifier-naming)

namespace ado::bench {
namespace {

/// The processes as one row. It lives as long as the program, because BLACS cannot release MPI
/// objects after MPI_Finalize.
int context_of(const distributed::Comm& comm) {
  static const int context = [&] {
    int made = Csys2blacs_handle(comm.mpi());
    Cblacs_gridinit(&made, "Row", 1, comm.size());
    return made;
  }();
  return context;
}

/// ScaLAPACK's description of an array of `rows` distributed rows of `length` elements.
std::array<int, 9> description(int context, std::size_t rows, std::size_t length,
                               std::size_t stride, int ranks) {
  const auto block = static_cast<int>(distributed::Blocks(rows, ranks).count(0));
  const int dense = 1, first = 0;
  return {dense,
          context,
          static_cast<int>(length),
          static_cast<int>(rows),
          static_cast<int>(length),
          block,
          first,
          first,
          static_cast<int>(stride)};
}

/// Throws InvalidArgument on all ranks alike.
void check(const Call& call, int ranks) {
  for (std::size_t k = 0; k < 2; ++k) {
    const Array& array = call.arrays[k];
    check_blas_sizes<int>({call.shape[k], array.stride[0]}, "transpose[scalapack]");
    const distributed::Blocks blocks(call.shape[k], ranks);
    check_blas_sizes<int>({blocks.count(0) * array.stride[0] * size_of(call.type)},
                          "transpose[scalapack]: in bytes, of a rank's part");
  }
}

struct Scalapack {
  static constexpr std::string_view algorithm = "transpose", name = "scalapack";
  static constexpr std::string_view summary = "ScaLAPACK: p?tran of its PBLAS";
  static constexpr Model model = Model::vendor;
  static constexpr bool on_ranks = true;
  static constexpr TypeSet types = real_types;

  static std::string unfit(const Shape& s, Type) { return uneven(s, "ScaLAPACK"); }
  static void run(const Call& call) {
    const distributed::Comm& comm = comm_of_ranks();
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    if (rows == 0 || columns == 0) return;
    check(call, comm.size());
    const Array &a = call.arrays[0], &b = call.arrays[1];
    const int context = context_of(comm), one = 1;
    const auto of_a = description(context, rows, columns, a.stride[0], comm.size());
    const auto of_b = description(context, columns, rows, b.stride[0], comm.size());
    const auto m = static_cast<int>(rows), n = static_cast<int>(columns);
    const auto transpose = [&](auto function, auto zero) {
      using T = decltype(zero);
      const T alpha = 1, beta = 0;
      function(&m, &n, &alpha, a.as<const T>(), &one, &one, of_a.data(), &beta, b.as<T>(), &one,
               &one, of_b.data());
    };
    if (call.type == Type::f32) return transpose(pstran_, float{});
    transpose(pdtran_, double{});
  }
  static double rounding_steps(const Shape&, Type) { return 1; }
};
const HostVariant<Scalapack> registered{__FILE__};

} // namespace
} // namespace ado::bench
