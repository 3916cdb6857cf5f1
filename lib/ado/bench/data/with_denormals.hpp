// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cfenv>

namespace ado {

/// While it lives, the calling thread and those of its parallel regions compute with denormal numbers. A program that was
/// linked with -ffast-math begins with zeros in their place, and what judges its results must not.
class WithDenormals {
public:
  WithDenormals();
  ~WithDenormals();
  WithDenormals(const WithDenormals&) = delete;
  WithDenormals& operator=(const WithDenormals&) = delete;

private:
  std::fenv_t before_{};
  bool changed_;
};

} // namespace ado
