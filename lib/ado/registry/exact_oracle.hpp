// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle for outputs that nothing rounds: integers, indices, what is only moved.
#pragma once

#include <ado/registry/algorithm.hpp>

#include <functional>
#include <memory>

namespace ado::bench {

/// The oracle of outputs that must have the very bits of what `compute` writes into `expected`: a
/// packed array of these extents, in host memory, zero before. It runs once, when the oracle is
/// made; make it simple, for all verdicts rest on it. Takes as much memory as the output.
std::unique_ptr<Oracle> exact_oracle(Type type, const Extents& extent,
                                     const std::function<void(const Array& expected)>& compute);

} // namespace ado::bench
