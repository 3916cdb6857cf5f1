// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of rows (core/row_plan.hpp) as constants of a kernel.
#pragma once

#include <ado/portable/launch.hpp>

#include <type_traits>

namespace ado::detail {

/// Calls f with `lanes` and `wide` as compile-time constants (std::integral_constant); on a host always
/// with one lane and not wide.
template <class Exec, class F>
void with_row_constants(int lanes, bool wide, F&& f) {
  using One = std::integral_constant<int, 1>;
  if constexpr (runs_on_host<Exec>) {
    f(One(), std::false_type());
  } else {
    const auto choose = [&](auto is_wide) {
      switch (lanes) {
      case 1:
        return f(One(), is_wide);
      case 4:
        return f(std::integral_constant<int, 4>(), is_wide);
      case 16:
        return f(std::integral_constant<int, 16>(), is_wide);
      case 32:
        return f(std::integral_constant<int, 32>(), is_wide);
      default:
        return f(std::integral_constant<int, team_threads<Exec>>(), is_wide);
      }
    };
    wide ? choose(std::true_type()) : choose(std::false_type());
  }
}

} // namespace ado::detail
