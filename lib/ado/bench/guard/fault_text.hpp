// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fault messages that a signal handler can build: they allocate nothing.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string_view>

namespace ado::bench {

/// One line; what does not fit is cut off.
class FaultText {
public:
  FaultText() = default;
  explicit FaultText(std::string_view text) { add(text); }
  FaultText& add(std::string_view text);
  /// ": why", or nothing; only the first line of several.
  FaultText& add_reason(std::string_view why);
  std::string_view view() const { return {text_.data(), length_}; }
  void write_line(int file);

private:
  std::array<char, 1024> text_{};
  std::size_t length_ = 0;
};

/// Sits in front of stderr's buffer and holds back Kokkos' last words: on abort Kokkos prints the
/// reason without a newline, then a backtrace.
std::streambuf* keep_last_words(std::streambuf* in_front_of);
/// Why Kokkos aborts, in CUDA's words for a CUDA error. Usually empty.
std::string_view last_words();

} // namespace ado::bench
