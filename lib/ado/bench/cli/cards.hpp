// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comments with which the variants' files open, as text of the program.
#pragma once

#include <string_view>
#include <vector>

namespace ado {

struct Card {
  std::string_view file; ///< "lib/ado/yax/kokkos/team.cpp"
  std::string_view text;
};
/// Written by cards.cmake when the program is built.
const std::vector<Card>& cards();

} // namespace ado
