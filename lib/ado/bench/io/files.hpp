// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all code that reads and writes files shares.
#pragma once

#include <ado/core/error.hpp>

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>

namespace ado::bench {

/// A named file cannot be read or written, or does not hold what it should. The message names the
/// file, what is wrong with it, and how to fix that.
class InputError : public Error {
public:
  using Error::Error;
};

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

private:
  int fd_;
};

/// The system's message for an errno.
std::string error_text(int code);

/// A file written under a temporary name beside `path` and renamed at the end: it appears whole or
/// not at all, and after an error (a full disk, say) `path` is as before. Everything except the
/// destructor throws InputError.
class OutputFile {
public:
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(const void* source, std::size_t bytes);
  /// Writes at `offset` from the start; write() still appends where it would have.
  void write_at(const void* source, std::size_t bytes, std::size_t offset);
  void commit();

private:
  template <class Put>
  void write_by(const void* source, std::size_t bytes, const Put& put);
  [[noreturn]] void fail() const;

  std::string path_, target_, temporary_;
  Descriptor file_;
};

/// Writes `text` to `path`, whole or not at all, or to `standard` if `path` is "-". Throws
/// InputError.
void write_text(const std::string& path, const std::string& text, std::ostream& standard);

/// Reads a regular file of at most 256 MiB. Never blocks on a pipe or a device. Throws InputError.
std::string read_file(const std::string& path);

/// The absolute path without links and dots; the file need not exist.
std::filesystem::path whole_path(const std::string& path);
/// Whether two paths name the same file, which need not exist.
bool same_file(const std::string& a, const std::string& b);

} // namespace ado::bench
