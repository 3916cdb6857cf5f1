// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text.
#pragma once

#include <cstdio>
#include <string>

namespace ado {

/// `value` in a format of printf for one double, with what stands around it.
inline std::string number(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

} // namespace ado
