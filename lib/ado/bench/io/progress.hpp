// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a run is, for who watches it on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ado {

/// "[3/8] transpose team, about 20 s left": the third of eight rows begins. Rows of the weight `measured` took
/// `seconds`, and those of the weight `left` are guessed to take as long each. Without such rows there is no guess.
std::string progress_line(std::size_t row, std::size_t rows, double measured, double left,
                          double seconds, const std::string& what);

/// Such a line on stderr, rewritten in place; silent where that is no terminal.
class Progress {
public:
  /// `done` rows are known from before, the others have the weight `left`. `shows`: a line may stand there already.
  Progress(std::size_t done, std::size_t rows, double left, bool shows = false);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void next(const std::string& what, double weight);
  /// Leaves an empty line, for what is printed beside it.
  void clear();

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::size_t row_, rows_;
  double measured_ = 0, left_;
  bool on_, shows_;
};

} // namespace ado
