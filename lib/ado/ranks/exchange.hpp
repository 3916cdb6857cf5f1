// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the most that ranks can send each other at once.
#pragma once

#include <ado/bench/device/device.hpp>
#include <ado/distributed/comm.hpp>

#include <cstddef>
#include <functional>

namespace ado::bench {

/// If GPUs reach each other's memory, returns a function that sends `bytes` to each other rank with
/// the copy engines and waits for its own copies; otherwise null, on all ranks alike. Collective;
/// `memory` must hold (size + 1) times `bytes`.
std::function<void()> copies_to_peers(const distributed::Comm& comm, Device& device, void* memory,
                                      std::size_t bytes);

} // namespace ado::bench
