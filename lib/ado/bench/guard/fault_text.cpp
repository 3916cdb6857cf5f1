// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/guard/fault_text.hpp>

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <streambuf>

namespace ado::bench {

FaultText& FaultText::add(std::string_view text) {
  for (const char c : text.substr(0, text_.size() - 1 - length_)) // keep room for a newline
    text_[length_++] = c == '\n' || c == '\r' ? ' ' : c;
  return *this;
}

FaultText& FaultText::add_reason(std::string_view why) {
  const std::string_view line = why.substr(0, why.find('\n'));
  return line.empty() ? *this : add(": ").add(line);
}

void FaultText::write_line(int file) {
  text_[length_] = '\n';
  static_cast<void>(!write(file, text_.data(), length_ + 1));
}

namespace {

class LastWords : public std::streambuf {
public:
  void stand_before(std::streambuf* next) { next_ = next; }
  std::string_view view() const { return line_.view(); }

protected:
  std::streamsize xsputn(const char* data, std::streamsize count) override {
    const std::lock_guard lock(mutex_);
    const std::string_view text(data, static_cast<std::size_t>(count));
    is_backtrace_ = is_backtrace_ || text.starts_with("\nBacktrace:") ||
                    text.starts_with("\nTraceback functionality");
    if (is_backtrace_) return count;
    const std::size_t end = text.rfind('\n') + 1; // 0: no line ends here
    if (end > 0) {
      next_->sputn(line_.view().data(), static_cast<std::streamsize>(line_.view().size()));
      next_->sputn(data, static_cast<std::streamsize>(end));
      line_ = FaultText();
    }
    line_.add(text.substr(end));
    return count;
  }
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  int sync() override { return next_->pubsync(); }

private:
  std::mutex mutex_;
  std::streambuf* next_ = nullptr;
  FaultText line_; ///< not ended yet
  bool is_backtrace_ = false;
};

LastWords kept;

} // namespace

std::streambuf* keep_last_words(std::streambuf* in_front_of) {
  kept.stand_before(in_front_of);
  return &kept;
}

std::string_view last_words() {
  std::string_view text = kept.view();
  constexpr std::string_view of_cuda = " error( cuda", before = "): ";
  if (text.find(of_cuda) == text.npos) return text;
  text.remove_prefix(text.find(before, text.find(of_cuda)) + before.size());
  return text.substr(0, text.rfind(" /")); // cut the place in Kokkos' sources
}

} // namespace ado::bench
