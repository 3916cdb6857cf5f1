// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/progress.hpp>

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace ado::bench {
namespace {

/// With as few digits as a guess deserves: "9 s", "50 s", "4 min".
std::string rounded(double seconds) {
  if (seconds < 10) return std::to_string(std::lround(std::ceil(seconds))) + " s";
  if (seconds < 100) return std::to_string(10 * std::lround(seconds / 10)) + " s";
  return std::to_string(std::lround(seconds / 60)) + " min";
}

} // namespace

std::string progress_line(std::size_t row, std::size_t rows, double measured, double left,
                          double seconds, const std::string& what) {
  std::string line = "[" + std::to_string(row) + "/" + std::to_string(rows) + "] " + what;
  if (measured > 0) line += ", about " + rounded(seconds / measured * left) + " left";
  return line;
}

Progress::Progress(std::size_t done, std::size_t rows, double left, bool shows)
    : row_(done), rows_(rows), left_(left), on_(isatty(STDERR_FILENO) != 0), shows_(on_ && shows) {}
Progress::~Progress() { clear(); }

void Progress::next(const std::string& what, double weight) {
  ++row_;
  if (on_) {
    clear();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    std::fputs(progress_line(row_, rows_, measured_, left_, passed.count(), what).c_str(), stderr);
    std::fflush(stderr);
    shows_ = true;
  }
  measured_ += weight;
  left_ -= weight;
}

void Progress::clear() {
  if (shows_) std::fputs("\r\033[K", stderr);
  shows_ = false;
}

} // namespace ado::bench
