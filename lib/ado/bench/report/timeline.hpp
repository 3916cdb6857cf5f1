// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --timeline: the stages of streams of chunks as pictures.
#pragma once

#include <ado/bench/run/results.hpp>

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// A variant that reported its stages.
struct Staged {
  const RowResult* row;
  const Measurement* measurement;
  std::string name; ///< "kokkos/overlapped, team 64": its row and side
};

/// Each of them once, in row order: a native variant that all portable ones are compared with is in
/// each of their rows.
std::vector<Staged> staged_variants(const Results& results);

/// A picture of one run: a lane per stage with its chunks from left to right, numbered if there is
/// room, over an axis in milliseconds.
std::string timeline_svg(const std::string& title, const StageTimes& times);

/// Runs with their titles as a Chrome trace, for ui.perfetto.dev: a process per run, a thread per
/// stage, an event per chunk, in microseconds.
std::string timeline_trace(const std::vector<std::pair<std::string, StageTimes>>& runs);

/// The file of one of several pictures: "run.svg" becomes "run_kokkos_overlapped.svg".
std::string timeline_path(const std::string& path, const std::string& name);

/// Writes a picture of each staged variant, a single one to `path` itself; if `path` ends in .json,
/// one trace of all, and says on `out` which files these are. A file appears whole or not at all.
/// Throws InputError if one cannot be written.
void write_timelines(const std::string& path, const Results& results, std::ostream& out);

} // namespace ado::bench
