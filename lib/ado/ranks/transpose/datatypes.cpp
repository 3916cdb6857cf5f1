// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, openmp, datatypes: b[j][i] = a[i][j], by MPI alone
//   mapping   one MPI_Alltoallw: each rank is sent a block of columns of a, described column by
//             column, and sends back a block of rows of b. MPI walks the description element by
//             element
//   scratch   none here, only MPI's own
//   bytes     sends each element once, except the rank's own; reads a with the stride of a row
//   teaches   the call that needs no packing code; `packed` shows what that costs
#include <ado/distributed/blocks.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>

#include <climits>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

using distributed::Blocks;
using distributed::detail::check_mpi;

/// An MPI datatype that frees itself.
class Datatype {
public:
  /// `bytes` contiguous bytes.
  explicit Datatype(std::size_t bytes) {
    check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_),
              "MPI_Type_contiguous");
  }
  /// `count` blocks of `length` elements of type `of`, starting `pitch` bytes apart.
  Datatype(int count, int length, std::size_t pitch, const Datatype& of) {
    check_mpi(
        MPI_Type_create_hvector(count, length, static_cast<MPI_Aint>(pitch), of.type_, &type_),
        "MPI_Type_create_hvector");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;
  Datatype(Datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  ~Datatype() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  MPI_Datatype get() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// MPI counts in int.
int count_of(std::size_t count) {
  if (count > INT_MAX)
    throw InvalidArgument("transpose datatypes: " + std::to_string(count) +
                          " rows or columns in a block; MPI counts in int");
  return static_cast<int>(count);
}

struct Datatypes {
  static constexpr std::string_view algorithm = "transpose", name = "datatypes";
  static constexpr std::string_view summary = "one MPI_Alltoallw: MPI turns the blocks itself";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call) {
    const distributed::Comm& comm = comm_of_ranks();
    const int me = comm.rank(), size = comm.size();
    const Blocks rows(call.shape[0], size), columns(call.shape[1], size);
    const Array &a = call.arrays[0], &b = call.arrays[1];
    const std::size_t bytes = size_of(call.type);
    const Datatype element(bytes);
    std::vector<Datatype> column, sent, received;
    std::vector<MPI_Datatype> send_types, receive_types;
    std::vector<int> places_of_a, places_of_b;
    const std::vector<int> once(static_cast<std::size_t>(size), 1);
    for (int rank = 0; rank < size; ++rank) {
      // Columns of a in order, because rows of b arrive in order.
      column.emplace_back(count_of(rows.count(me)), 1, a.stride[0] * bytes, element);
      sent.emplace_back(count_of(columns.count(rank)), 1, bytes, column.back());
      received.emplace_back(count_of(columns.count(me)), count_of(rows.count(rank)),
                            b.stride[0] * bytes, element);
      send_types.push_back(sent.back().get());
      receive_types.push_back(received.back().get());
      places_of_a.push_back(count_of(columns.first(rank) * bytes));
      places_of_b.push_back(count_of(rows.first(rank) * bytes));
    }
    check_mpi(MPI_Alltoallw(a.data, once.data(), places_of_a.data(), send_types.data(), b.data,
                            once.data(), places_of_b.data(), receive_types.data(), comm.mpi()),
              "MPI_Alltoallw");
  }
};
const HostVariant<Datatypes> registered{__FILE__};

} // namespace
} // namespace ado::bench
