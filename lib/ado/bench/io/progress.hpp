// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a run is, for people who watch it on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ado::bench {

/// "[3/8] transpose team, about 20 s left": the third of eight rows begins. Rows of total weight
/// `measured` took `seconds`; those of weight `left` should go on at that rate. Without measured
/// rows there is no guess.
std::string progress_line(std::size_t row, std::size_t rows, double measured, double left,
                          double seconds, const std::string& what);

/// Such a line on stderr, rewritten in place; silent if stderr is no terminal.
class Progress {
public:
  /// `done` rows were known before, the others have total weight `left`. `shows`: a line may
  /// already be on the screen.
  Progress(std::size_t done, std::size_t rows, double left, bool shows = false);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void next(const std::string& what, double weight);
  /// Clears the line, so that other output can go there.
  void clear();

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::size_t row_, rows_;
  double measured_ = 0, left_;
  bool on_, shows_;
};

} // namespace ado::bench
