// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts about a fault, which a signal handler may put together: nothing is allocated.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string_view>

namespace ado {

/// One line; what does not fit is cut off.
class FaultText {
public:
  FaultText() = default;
  explicit FaultText(std::string_view text) { add(text); }
  FaultText& add(std::string_view text);
  /// ": why", or nothing; of several lines the first.
  FaultText& add_reason(std::string_view why);
  std::string_view view() const { return {text_.data(), length_}; }
  void write_line(int file);

private:
  std::array<char, 1024> text_{};
  std::size_t length_ = 0;
};

/// Stands before the buffer of stderr and keeps Kokkos' last words back: on its abort it prints why, without a newline,
/// and a backtrace behind that.
std::streambuf* keep_last_words(std::streambuf* in_front_of);
/// Why Kokkos aborts: what CUDA says, where it is CUDA's error. Mostly empty.
std::string_view last_words();

} // namespace ado
