// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/data/with_denormals.hpp>

#include <limits>

namespace ado::bench {
namespace {

bool denormals_are_zeros() {
  volatile double x = std::numeric_limits<double>::min();
  x = x / 2;
  return x * 2 == 0;
}

void set_environment(const std::fenv_t* environment) {
#pragma omp parallel
  std::fesetenv(environment);
}

} // namespace

WithDenormals::WithDenormals() : changed_(denormals_are_zeros()) {
  if (!changed_) return;
  std::fegetenv(&before_);
  set_environment(FE_DFL_ENV);
}

WithDenormals::~WithDenormals() {
  if (changed_) set_environment(&before_);
}

} // namespace ado::bench
