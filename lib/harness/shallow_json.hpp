// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON out of a file that anybody may have written. Private to what reads records and journals.
#pragma once

#include <ado/core/error.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace ado {

/// Parses at most 32 levels, eight times what a record has: a level costs a hundred times the memory
/// of its bracket, and printing it a frame of the stack. Throws Error for more, and the parser's own
/// exceptions.
inline nlohmann::json parse_shallow_json(const std::string& text) {
  constexpr int most_levels = 32;
  return nlohmann::json::parse(
      text, [](int level, nlohmann::json::parse_event_t, const nlohmann::json&) {
        if (level > most_levels)
          throw Error("is nested deeper than " + std::to_string(most_levels) + " levels");
        return true;
      });
}

} // namespace ado
