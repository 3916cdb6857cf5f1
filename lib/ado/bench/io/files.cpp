// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/files.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <ostream>
#include <system_error>

namespace ado::bench {
namespace {

namespace fs = std::filesystem;

// One write() takes less than 2^31 bytes.
constexpr std::size_t piece_bytes = std::size_t{16} << 20;

// A record has a kilobyte per repetition.
constexpr off_t most_file_bytes = off_t{256} << 20;

// Renaming would replace a device or a link instead of writing to it.
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

template <class Put>
void OutputFile::write_by(const void* source, std::size_t bytes, const Put& put) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t count =
        put(static_cast<const char*>(source) + done, std::min(bytes - done, piece_bytes), done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    done += static_cast<std::size_t>(count);
  }
}

void OutputFile::write(const void* source, std::size_t bytes) {
  write_by(source, bytes, [&](const char* from, std::size_t count, std::size_t) {
    return ::write(file_.get(), from, count);
  });
}

void OutputFile::write_at(const void* source, std::size_t bytes, std::size_t offset) {
  write_by(source, bytes, [&](const char* from, std::size_t count, std::size_t done) {
    return ::pwrite(file_.get(), from, count, static_cast<off_t>(offset + done));
  });
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

void write_text(const std::string& path, const std::string& text, std::ostream& standard) {
  if (path == "-") {
    standard << text;
    return;
  }
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.commit();
  // A run's journal goes once its record is there, so the record must survive a power cut.
  const Descriptor written(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (written.get() >= 0) ::fsync(written.get());
}

std::string read_file(const std::string& path) {
  const auto fail = [&](int code) {
    throw InputError(path + ": cannot be read (" + error_text(code) + ")");
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail(errno);
  if (!S_ISREG(status.st_mode)) throw InputError(path + ": is not a regular file");
  if (status.st_size > most_file_bytes)
    throw InputError(path + ": is larger than 256 MiB, and no file about a run is");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break; // the file has been shortened
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

fs::path whole_path(const std::string& path) {
  constexpr int most_links = 40; // Linux' own limit
  std::error_code error;
  fs::path whole = fs::absolute(path, error);
  // A link may lead to a file that does not exist yet.
  for (int links = 0; links < most_links && fs::is_symlink(whole, error); ++links)
    whole = whole.parent_path() / fs::read_symlink(whole, error);
  return fs::weakly_canonical(whole, error);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) || whole_path(a) == whole_path(b);
}

} // namespace ado::bench
