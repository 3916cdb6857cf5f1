// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory a case takes, known before any is asked for.
#pragma once

#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/bench/device/host_memory.hpp>

#include <string>
#include <vector>

namespace ado {

/// Bytes of all arrays of a case, with an output for each of the two variants of a row. Workspaces
/// come on top: a variant whose workspace does not fit fails alone.
double memory_need(const Problem& problem);

/// Why the arrays do not fit, on a GPU or on the host, which always holds them; of a case that is streamed
/// why its slices do not, with the workspaces of `variants`. Empty where they do. `host_bytes`: free on the
/// host; to ask the system takes longer than all else here.
std::string memory_shortage(const Problem& problem, const Device& device,
                            const std::vector<const Variant*>& variants = {},
                            std::size_t host_bytes = available_host_memory());

/// Whether runs of a case bring its data to the device themselves: those of an algorithm with host_arrays,
/// and those of a stream of slices. They have stages, and the link's bandwidth is their ceiling.
bool moves_data(const Problem& problem, const Device& device);

} // namespace ado
