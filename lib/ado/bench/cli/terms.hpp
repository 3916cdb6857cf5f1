// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of the field that tables, messages and pages use without a definition of their own.
#pragma once

#include <string_view>
#include <vector>

namespace ado {

struct Term {
  std::vector<std::string_view> words; ///< the first as it is said, then other names of it
  std::string_view text;
  std::string_view page; ///< where there is more, as "docs/options.md#records"; may be empty
};

const std::vector<Term>& terms();

} // namespace ado
