// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp compare --run: two programs, run in turn.
#pragma once

#include <ado/bench/processes/child_program.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ado::bench {

/// As many as tell 3 % on a busy machine (docs/options.md#two-programs-in-turn).
inline constexpr std::size_t usual_rounds = 16;

/// The records that two programs wrote into a folder.
struct RecordsInTurn {
  std::vector<std::string> a, b;
};

/// Runs both programs `rounds` times with the same options, at one time: A B, B A, A B ... In each
/// round either has its code at another place, if its places were built. Throws InputError if one
/// is no program of ado's or writes no record; ends early if interrupted.
RecordsInTurn run_in_turn(const std::string& a, const std::string& b,
                          const std::vector<std::string>& options, std::size_t rounds,
                          const TemporaryFolder& folder);

} // namespace ado::bench
