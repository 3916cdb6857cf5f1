// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ceilings as text, for files.
#pragma once

#include <ado/bench/measure/ceilings.hpp>

#include <string>
#include <string_view>

namespace ado {

/// As an object of JSON, and back; what is no such object throws std::exception.
std::string ceilings_text(const Ceilings& ceilings);
Ceilings ceilings_from_text(std::string_view text);

} // namespace ado
