// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms of the field that tables, messages and pages use without defining them.
#pragma once

#include <string_view>
#include <vector>

namespace ado::bench {

struct Term {
  std::vector<std::string_view> words; ///< the usual term first, then other names for it
  std::string_view text;
  std::string_view page; ///< where to read more, as "docs/options.md#records"; may be empty
};

const std::vector<Term>& terms();

} // namespace ado::bench
