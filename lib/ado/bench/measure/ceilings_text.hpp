// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ceilings as text, for files.
#pragma once

#include <ado/bench/measure/ceilings.hpp>

#include <string>
#include <string_view>

namespace ado::bench {

/// To a JSON object and back; anything else throws std::exception.
std::string ceilings_text(const Ceilings& ceilings);
Ceilings ceilings_from_text(std::string_view text);

} // namespace ado::bench
