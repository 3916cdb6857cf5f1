// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the rows of yax are dealt out.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/distributed/blocks.hpp>

namespace ado {

/// Cut where a tile of `tuned` begins, on hosts and on GPUs, in f32 and in f64: one cut for all variants of a row.
distributed::Blocks yax_rows(const Shape& shape);

} // namespace ado
