// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cfenv>

namespace ado::bench {

/// While it lives, the calling thread and its parallel regions compute with denormal numbers. A
/// program linked with -ffast-math flushes them to zero, which must not affect the checks of its
/// results.
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

} // namespace ado::bench
