// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text as a number, to compare two that lie far apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace ado::detail {

/// Numbers that differ where texts do, but by rare chance (FNV-1a).
inline std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char c : text)
    hash = (hash ^ c) * 1099511628211u;
  return hash;
}

} // namespace ado::detail
