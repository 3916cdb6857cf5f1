// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory a case takes, known before any is allocated.
#pragma once

#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>

#include <string>
#include <vector>

namespace ado::bench {

/// Bytes of all arrays of a case, with an output for each of a row's two variants. Workspaces come
/// on top: a variant whose workspace does not fit fails alone.
double memory_need(const Problem& problem);

/// Why the arrays do not fit, on a GPU or on the host, which always holds them; for a streamed case
/// why its slices do not, with the workspaces of `variants`. Empty: they fit. `host_bytes`: free on
/// the host; asking the system takes longer than all else here.
std::string memory_shortage(const Problem& problem, const Device& device,
                            const std::vector<const Variant*>& variants = {},
                            std::size_t host_bytes = available_host_memory());

/// Whether runs of a case move its data to the device themselves: those of an algorithm with
/// host_arrays and of a stream of slices. They have stages, and the link's bandwidth is their
/// ceiling.
bool moves_data(const Problem& problem, const Device& device);

} // namespace ado::bench
