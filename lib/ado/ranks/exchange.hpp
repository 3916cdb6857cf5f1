// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The most that ranks can send each other at once, measured.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/distributed/comm.hpp>

#include <cstddef>
#include <functional>

namespace ado {

/// Where GPUs reach each other's memory: returns a function that copies `bytes` to each other rank by the copy engines
/// and waits for its own. Null where they do not, on all ranks alike. Collective; `memory` holds size + 1 times as much.
std::function<void()> copies_to_peers(const distributed::Comm& comm, Device& device, void* memory,
                                      std::size_t bytes);

} // namespace ado
