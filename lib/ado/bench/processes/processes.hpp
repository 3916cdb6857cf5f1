// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --processes: the same command line in several processes. Each has its stack, its arrays and, with
// programs linked at other places, its code elsewhere, and all three move times.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/run/journal_row.hpp>
#include <ado/bench/run/run_identity.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ado::bench {

/// If this process is one of several that another started: measures all rows and keeps them for
/// that one, writes nothing else.
void measure_for_another(Options& options);
bool measures_for_another();

/// What the other processes of a run measured.
class OtherProcesses {
public:
  OtherProcesses() = default; ///< there are none
  /// Runs `options.processes` less one, one after the other, with the command line and these
  /// ceilings. Throws Error, with what it said, if one measures nothing.
  OtherProcesses(const Options& options, const std::vector<std::string>& command_line,
                 const Ceilings& ceilings, const RunIdentity& machine);

  /// Adds what they measured to this process' next row: their times, and the ratio of each. A row
  /// that failed in one of them fails.
  void add_to(RowResult& row);
  /// How many programs there are, each with its code at another place; 1: all ran the same one.
  std::size_t places() const { return places_; }

private:
  std::vector<std::vector<FinishedRow>> rows_; ///< of each process
  std::size_t next_ = 0;
  std::size_t places_ = 1;
};

} // namespace ado::bench
