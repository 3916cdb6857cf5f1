// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What variants on ranks may use.
#pragma once

#include <ado/distributed/comm.hpp>

namespace ado::bench {

/// The ranks of this program. Valid only if several were started.
const distributed::Comm& comm_of_ranks();

} // namespace ado::bench
