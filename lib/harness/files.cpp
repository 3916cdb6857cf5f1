// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/files.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ado {
namespace {

namespace fs = std::filesystem;

// One write() takes less than 2^31 bytes.
constexpr std::size_t piece_bytes = std::size_t{16} << 20;

// Renaming would replace a device or a link itself instead of writing to it.
std::string target_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return path;
  if (!fs::is_regular_file(status))
    throw InputError(path + ": cannot be written: is not a regular file; name another");
  const fs::path resolved = fs::canonical(path, error);
  return error ? path : resolved.string();
}

int create(const std::string& target, std::string& temporary) {
  for (unsigned attempt = 0;; ++attempt) {
    std::string name =
        target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd >= 0) temporary = std::move(name);
    return fd;
  }
}

} // namespace

std::string error_text(int code) { return std::generic_category().message(code); }

OutputFile::OutputFile(const std::string& path)
    : path_(path), target_(target_of(path)), file_(create(target_, temporary_)) {
  if (file_.get() < 0) fail();
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(const void* source, std::size_t bytes) {
  const char* from = static_cast<const char*>(source);
  while (bytes > 0) {
    const ssize_t put = ::write(file_.get(), from, std::min(bytes, piece_bytes));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail();
    from += put;
    bytes -= static_cast<std::size_t>(put);
  }
}

void OutputFile::commit() {
  // Some file systems report a full disk only here.
  if (file_.close() != 0 || ::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void OutputFile::fail() const {
  throw InputError(path_ + ": cannot be written (" + error_text(errno) +
                   "); check the folder, its permissions and the space left");
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

} // namespace ado
