// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that a BLAS can count to.
#pragma once

#include <ado/core/error.hpp>

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>

namespace ado::bench {

/// Throws InvalidArgument, naming `what`, unless a BLAS that counts in Int can count to each size.
template <class Int>
void check_blas_sizes(std::initializer_list<std::size_t> sizes, const char* what) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Int>::max());
  for (const std::size_t size : sizes)
    if (size > most)
      throw InvalidArgument(std::string(what) + ": an extent or leading dimension of " +
                            std::to_string(size) + " is more than the " + std::to_string(most) +
                            " that this BLAS counts to; use another variant");
}

} // namespace ado::bench
