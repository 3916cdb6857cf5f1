// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, vendor, fftw: b[j][i] = a[i][j]
//   mapping   FFTW-MPI's transpose, fftw_mpi_plan_many_transpose. FFTW_MEASURE chooses among its
//             all-to-alls and local transposes; one thread per rank
//   scratch   the library's own. If blocks differ, FFTW needs more room than b has: then it writes
//             to its own array, which is copied to b
//   bytes     reads a once, writes b once, in memory; sends what others need
//   needs     FFTW 3.3 with MPI, the one that ado was built with; rows without gaps; FFTW's cut of
//             the rows: every rank but the last has ceil(rows / ranks), or none are left; columns
//             likewise. Two ranks always fit
//   teaches   the yardstick for many CPU ranks: what one library call gives
#include <ado/core/error.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/transpose/uneven.hpp>

#include <fftw3-mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

namespace ado::bench {
namespace {

/// FFTW's functions for one type.
template <class T>
struct Functions;
template <>
struct Functions<double> {
  using Plan = fftw_plan;
  static constexpr auto init = fftw_mpi_init;
  static constexpr auto local_size = fftw_mpi_local_size_many_transposed;
  static constexpr auto plan = fftw_mpi_plan_many_transpose;
  static constexpr auto execute = fftw_mpi_execute_r2r;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto allocate = fftw_alloc_real;
  static constexpr auto free = fftw_free;
};
template <>
struct Functions<float> {
  using Plan = fftwf_plan;
  static constexpr auto init = fftwf_mpi_init;
  static constexpr auto local_size = fftwf_mpi_local_size_many_transposed;
  static constexpr auto plan = fftwf_mpi_plan_many_transpose;
  static constexpr auto execute = fftwf_mpi_execute_r2r;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto allocate = fftwf_alloc_real;
  static constexpr auto free = fftwf_free;
};

/// The plan for one shape.
template <class T>
class Plan {
  using F = Functions<T>;
  struct Free {
    void operator()(T* memory) const { F::free(memory); }
  };
  using Memory = std::unique_ptr<T, Free>;

public:
  Plan(std::size_t rows, std::size_t columns, const distributed::Comm& comm)
      : rows_(rows), columns_(columns) {
    const distributed::Blocks mine(rows, comm.size()), width(columns, comm.size());
    const std::array extents{static_cast<std::ptrdiff_t>(rows),
                             static_cast<std::ptrdiff_t>(columns)};
    const auto row_block = static_cast<std::ptrdiff_t>(mine.count(0));
    const auto column_block = static_cast<std::ptrdiff_t>(width.count(0));
    std::ptrdiff_t unused[4];
    const std::size_t count =
        F::local_size(2, extents.data(), 1, row_block, column_block, comm.mpi(), &unused[0],
                      &unused[1], &unused[2], &unused[3]);
    written_ = width.count(comm.rank()) * rows;
    // Planning overwrites its arrays, so it gets its own.
    const Memory from = memory(count);
    to_ = memory(count);
    plan_ = F::plan(extents[0], extents[1], 1, row_block, column_block, from.get(), to_.get(),
                    comm.mpi(), FFTW_MEASURE | FFTW_UNALIGNED);
    if (plan_ == nullptr) throw Error("transpose[fftw]: FFTW makes no plan for this shape");
    if (count <= written_) to_.reset();
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { F::destroy(plan_); }

  bool is_for(const Shape& shape) const { return rows_ == shape[0] && columns_ == shape[1]; }
  void run(const T* a, T* b) const {
    F::execute(plan_, const_cast<T*>(a),
               to_ ? to_.get() : b); // keeps a: no FFTW_DESTROY_INPUT
    if (to_) std::memcpy(b, to_.get(), written_ * sizeof(T));
  }

private:
  static Memory memory(std::size_t count) {
    Memory memory(F::allocate(std::max<std::size_t>(1, count)));
    if (!memory) throw OutOfMemory("transpose[fftw]: planning", count * sizeof(T));
    return memory;
  }

  typename F::Plan plan_ = nullptr;
  Memory to_; // if b is too short
  std::size_t rows_, columns_, written_ = 0;
};

struct Fftw {
  static constexpr std::string_view algorithm = "transpose", name = "fftw";
  static constexpr std::string_view summary =
      "FFTW-MPI: fftw_mpi_plan_many_transpose, planned with FFTW_MEASURE";
  static constexpr Model model = Model::vendor;
  static constexpr bool on_ranks = true;
  static constexpr TypeSet types = real_types;

  static std::string unfit(const Shape& s, Type) { return uneven(s, "FFTW"); }
  /// Makes the plan, which takes seconds.
  template <class T>
  static void prepare(const Call& call) {
    if (is_empty(call.shape)) return; // FFTW would divide by zero
    const distributed::Comm& comm = comm_of_ranks();
    for (std::size_t k = 0; k < 2; ++k)
      if (call.arrays[k].stride[0] != call.shape[1 - k])
        throw InvalidArgument("transpose[fftw]: FFTW takes rows without gaps only");
    // Never destroyed: a program ends after MPI_Finalize, when FFTW could no longer do it.
    static auto& plan = *new std::unique_ptr<Plan<T>>;
    if (plan && plan->is_for(call.shape)) return;
    plan.reset(); // frees its memory for the next one
    Functions<T>::init();
    plan = std::make_unique<Plan<T>>(call.shape[0], call.shape[1], comm);
    plan_of<T>() = plan.get();
  }
  static void run(const Call& call) {
    if (is_empty(call.shape)) return;
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      prepare<T>(call); // no-op if called before
      plan_of<T>()->run(call.arrays[0].as<const T>(), call.arrays[1].as<T>());
    });
  }

private:
  static bool is_empty(const Shape& shape) { return shape[0] == 0 || shape[1] == 0; }
  template <class T>
  static const Plan<T>*& plan_of() {
    static const Plan<T>* plan = nullptr;
    return plan;
  }
};
const HostVariant<Fftw> registered{__FILE__};

} // namespace
} // namespace ado::bench
