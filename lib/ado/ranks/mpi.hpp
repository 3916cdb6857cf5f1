// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What variants on many ranks are given.
#pragma once

#include <ado/distributed/comm.hpp>

namespace ado {

/// The ranks of this program. Only where several were started.
const distributed::Comm& comm_of_ranks();

} // namespace ado
