// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

namespace ado::bench {

/// Makes text from a file safe for a terminal, which would obey control characters, also those of
/// Latin-1 in UTF-8.
inline std::string printable(std::string text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  for (std::size_t k = 0; k < text.size(); ++k)
    if (byte(k) < 0x20 || byte(k) == 0x7f)
      text[k] = '?';
    else if (byte(k) == 0xc2 && k + 1 < text.size() && byte(k + 1) >= 0x80 && byte(k + 1) < 0xa0)
      text[k] = text[k + 1] = '?';
  return text;
}

} // namespace ado::bench
