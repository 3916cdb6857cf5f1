// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What variants on many ranks are given.
#pragma once

#include <ado/distributed/comm.hpp>

#include <memory>

namespace ado {

/// Where they are kept from the start of MPI to its end.
std::unique_ptr<distributed::Comm>& kept_comm();
/// The ranks of this program. Only where several were started.
const distributed::Comm& comm_of_ranks();

} // namespace ado
