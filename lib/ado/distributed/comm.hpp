// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of ranks, and what they say to each other before and while they work.
#pragma once

#include <ado/core/error.hpp>

#include <mpi.h>

#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ado::distributed {

/// MPI reported an error. Other ranks may wait for this one: end the program with MPI_Abort.
class CommunicationError : public Error {
public:
  using Error::Error;
};

namespace detail {

/// Throws where `code`, which `what` returned, is an error of MPI.
inline void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw CommunicationError(std::string("ado::distributed: ") + what + ": " +
                           std::string(text, length));
}

} // namespace detail

/// The ranks that call the functions of ado::distributed together. Each of these functions is
/// collective: all ranks of the Comm call it, in the same order.
///
/// It has a duplicate of the communicator that it is made of, so messages of the program and of ado
/// never meet. Errors of MPI in this duplicate are thrown as CommunicationError.
///
/// It keeps what its functions need again: on GPUs streams, the ways into other ranks' memory, and
/// 2 MiB that these write into. So it must end before Kokkos and MPI do, and serves one call at a
/// time.
///
/// Example:
///
///     MPI_Init(&argc, &argv);
///     {
///       Kokkos::ScopeGuard kokkos(argc, argv);
///       ado::distributed::Comm comm(MPI_COMM_WORLD);
///       const ado::distributed::Blocks rows(32768, comm.size());
///     }
///     MPI_Finalize();
class Comm {
public:
  /// Collective over `comm`, which stays the caller's. MPI must be initialized.
  /// \throws InvalidArgument     where it is not, or comm is MPI_COMM_NULL
  /// \throws CommunicationError  where MPI cannot duplicate it
  explicit Comm(MPI_Comm comm) {
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun == 0 || ended != 0)
      throw InvalidArgument(
          "ado::distributed::Comm: MPI is not initialized; call MPI_Init first, and let the "
          "Comm end before MPI_Finalize");
    if (comm == MPI_COMM_NULL)
      throw InvalidArgument("ado::distributed::Comm: the communicator is MPI_COMM_NULL");
    detail::check_mpi(MPI_Comm_dup(comm, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  ~Comm() {
    release();
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended == 0) MPI_Comm_free(&comm_);
  }

  /// Which of the ranks this one is, from 0.
  int rank() const { return rank_; }
  /// How many ranks there are.
  int size() const { return size_; }
  /// The duplicate, for messages of ado alone.
  MPI_Comm mpi() const { return comm_; }

  /// Gives back what it keeps, where it has to outlive Kokkos. A later call makes it anew. Not
  /// collective.
  void release() {
    while (!kept_.empty()) // what was made last may need what was made before
      kept_.pop_back();
  }

  /// Objects that functions of ado keep in it, one of each type: made by make() for the first call.
  /// Not for programs.
  template <class T, class Make>
  T& kept(const Make& make) const {
    for (const auto& [type, one] : kept_)
      if (type == typeid(T)) return *static_cast<T*>(one.get());
    kept_.emplace_back(typeid(T), std::shared_ptr<T>(make()));
    return *static_cast<T*>(kept_.back().second.get());
  }

private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  mutable std::vector<std::pair<std::type_index, std::shared_ptr<void>>> kept_;
};

} // namespace ado::distributed
