// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/ranks/mpi.hpp>

namespace ado {

std::unique_ptr<distributed::Comm>& kept_comm() {
  static std::unique_ptr<distributed::Comm> comm;
  return comm;
}

const distributed::Comm& comm_of_ranks() { return *kept_comm(); }

} // namespace ado
