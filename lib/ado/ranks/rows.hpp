// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the rows of yax are distributed.
#pragma once

#include <ado/distributed/blocks.hpp>
#include <ado/registry/algorithm.hpp>

namespace ado::bench {

/// Cut where a tile of `tuned` begins, on hosts and GPUs, in f32 and f64: one cut for all variants
/// of a table row.
distributed::Blocks yax_rows(const Shape& shape);

} // namespace ado::bench
