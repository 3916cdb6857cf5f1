// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of streams of chunks as pictures: --timeline.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado {

/// A variant that told its stages.
struct Staged {
  const RowResult* row;
  const Measurement* measurement;
  std::string name; ///< "kokkos/overlapped, team 64": which row, which side
};

/// Each of them once, in the order of the rows: a native variant that all portable ones are compared
/// with stands in each of their rows.
std::vector<Staged> staged_variants(const Results& results);

/// A picture of one run: a lane a stage, from left to right the chunks that passed through it, with their
/// numbers where there is room, over an axis in milliseconds.
std::string timeline_svg(const std::string& title, const StageTimes& times);

/// Runs with their titles as a trace in Chrome's format, for ui.perfetto.dev: a process a run, a thread a stage, an event a
/// chunk, in microseconds.
std::string timeline_trace(const std::vector<std::pair<std::string, StageTimes>>& runs);

/// The file of one of several pictures: "run.svg" becomes "run_kokkos_overlapped.svg".
std::string timeline_path(const std::string& path, const std::string& name);

/// Writes a picture of each staged variant, the only one to `path` itself; where that ends in .json, one trace of all. A file appears whole or not at
/// all. Throws InputError where one cannot be written.
void write_timelines(const std::string& path, const Results& results);

} // namespace ado
