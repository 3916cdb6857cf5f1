// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <ado/bench/io/files.hpp>
#include <ado/bench/io/npy.hpp>
#include <ado/bench/io/npy_header.hpp>
#include <ado/core/checks.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

namespace ado::bench {
namespace npy {

constexpr std::size_t piece_bytes = std::size_t{16} << 20;

// An open regular file of known size. It is read, not mapped: a file that shrinks is then an error
// to report, not a SIGBUS.
class InputFile {
public:
  // O_NONBLOCK: opening a pipe without a writer would wait for one.
  explicit InputFile(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
    struct stat status {};
    if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0)
      refuse("cannot be opened (" + error_text(errno) + "); check the name and the permissions");
    if (S_ISDIR(status.st_mode)) refuse("is a directory; name a .npy file");
    if (!S_ISREG(status.st_mode))
      refuse("is a pipe, socket or device; save the array to a regular file first");
    size_ = static_cast<std::size_t>(status.st_size);
    changed_ = status.st_mtim;
  }

  const std::string& path() const { return path_; }
  std::size_t size() const { return size_; }

  void check_unchanged() const {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0)
      refuse("cannot be looked at (" + error_text(errno) + ")");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size != size_)
      refuse("has changed while it was read: it had " + std::to_string(size_) + " bytes and has " +
             std::to_string(size) + again);
    if (status.st_mtim.tv_sec != changed_.tv_sec || status.st_mtim.tv_nsec != changed_.tv_nsec)
      refuse(std::string("was written to while it was read") + again);
  }

  void read(void* destination, std::size_t bytes, std::size_t offset) const {
    char* to = static_cast<char*>(destination);
    while (bytes > 0) {
      const ssize_t got =
          ::pread(file_.get(), to, std::min(bytes, piece_bytes), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse("cannot be read (" + error_text(errno) + ")");
      if (got == 0)
        refuse("became shorter while it was read: at byte " + std::to_string(offset) + " " +
               std::to_string(bytes) + " more bytes were expected, 0 found" + again);
      to += got;
      offset += static_cast<std::size_t>(got);
      bytes -= static_cast<std::size_t>(got);
    }
  }

private:
  static constexpr const char* again = "; read it when nothing writes to it any more";

  [[noreturn]] void refuse(const std::string& problem) const { npy::refuse(path_, problem); }

  std::string path_;
  Descriptor file_;
  std::size_t size_ = 0;
  struct timespec changed_ {};
};

} // namespace npy

namespace {

using npy::InputFile;
using npy::piece_bytes;
using npy::refuse;

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t version_bytes = 2;
constexpr std::size_t max_header_bytes = 10000; // NumPy's own limit

// Reads from the start of the file up to the elements and returns where those begin.
std::size_t read_header_text(const InputFile& file, std::string& text) {
  std::array<unsigned char, 12> start{};
  const std::size_t present = std::min(file.size(), start.size());
  file.read(start.data(), present, 0);
  if (present == 0) refuse(file.path(), "is empty; save the array again with numpy.save");
  for (std::size_t i = 0; i < std::min(present, magic.size()); ++i)
    if (start[i] != static_cast<unsigned char>(magic[i]))
      refuse(file.path(), start[0] == 'P' && start[1] == 'K'
                              ? "is a .npz archive; save its one array with numpy.save"
                              : "is not a .npy file; make one with numpy.save");
  const char* const truncated = "is truncated inside its header; copy or save it again";
  if (present < magic.size() + version_bytes) refuse(file.path(), truncated);
  const unsigned major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    refuse(file.path(), "has format version " + std::to_string(major) + "." +
                            std::to_string(minor) + "; 1.0, 2.0 and 3.0 are supported");

  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t before = magic.size() + version_bytes + length_bytes;
  if (present < before) refuse(file.path(), truncated);
  std::size_t length = 0;
  for (std::size_t i = before; i-- > before - length_bytes;)
    length = length << 8 | start[i];
  if (length > max_header_bytes)
    refuse(file.path(), "says that its header has " + std::to_string(length) + " bytes; at most " +
                            std::to_string(max_header_bytes) +
                            " are read: save the array again with numpy.save");
  if (length > file.size() - before) refuse(file.path(), truncated);
  text.resize(length);
  file.read(text.data(), length, before);
  return before + length;
}

NpyHeader checked_header(const InputFile& file) {
  std::string text;
  const std::size_t data_offset = read_header_text(file, text);
  NpyHeader header = npy::parse_dictionary(file.path(), text);
  header.data_offset = data_offset;
  const std::size_t present = file.size() - data_offset;
  if (present == header.bytes) return header;
  const std::string sizes = ": " + std::to_string(header.bytes) + " bytes of data expected for " +
                            std::string(name_of(header.type)) + " " +
                            npy::shape_text(header.rank, header.extent) + ", " +
                            std::to_string(present) + " found; ";
  if (present < header.bytes) refuse(file.path(), "is truncated" + sizes + "copy or save it again");
  refuse(file.path(), "has trailing data" + sizes + "save one array a file, with numpy.save");
}

// `from` holds `columns` runs of `rows` elements; writes element (r, c) to to[offset(r) + c]. Few
// columns at a time, so that the cache keeps their lines until all rows have taken their element.
template <std::size_t Size, class Offset>
void scatter(const char* from, std::size_t rows, std::size_t columns, char* to, Offset offset) {
  constexpr std::size_t tile = 32;
  for (std::size_t t = 0; t < columns; t += tile)
    for (std::size_t r = 0; r < rows; ++r) {
      char* const row = to + offset(r) * Size;
      for (std::size_t c = t; c < std::min(t + tile, columns); ++c)
        std::memcpy(row + c * Size, from + (c * rows + r) * Size, Size);
    }
}

// A file in Fortran order has, for each last index, one run of the elements with all values of the
// other indices. It is read in blocks of `rows` elements of `columns` runs, so that pieces written
// to the destination are as long as a block is wide.
template <std::size_t Size>
void read_fortran(const InputFile& file, const NpyHeader& header, char* destination) {
  constexpr std::size_t run_bytes = std::size_t{64} << 10;
  const std::size_t last = static_cast<std::size_t>(header.rank) - 1;
  const Extents e = header.extent;
  const std::size_t first = e[0], runs = e[last], run = header.bytes / Size / runs;
  const std::size_t second = run / first;
  const std::size_t most_rows = std::min(run, run_bytes / Size);
  const std::size_t most_columns = std::min(runs, piece_bytes / (most_rows * Size));
  std::vector<char> block(most_rows * most_columns * Size);
  for (std::size_t c0 = 0; c0 < runs; c0 += most_columns) {
    const std::size_t columns = std::min(most_columns, runs - c0);
    for (std::size_t r0 = 0; r0 < run; r0 += most_rows) {
      const std::size_t rows = std::min(most_rows, run - r0);
      // Whole runs follow each other in the file: one read for all, however short they are.
      const std::size_t reads = rows == run ? 1 : columns;
      const std::size_t read_bytes = columns / reads * rows * Size;
      for (std::size_t c = 0; c < reads; ++c)
        file.read(block.data() + c * read_bytes, read_bytes,
                  header.data_offset + ((c0 + c) * run + r0) * Size);
      scatter<Size>(block.data(), rows, columns, destination, [&](std::size_t r) {
        const std::size_t i = (r0 + r) % first, j = (r0 + r) / first;
        return (i * second + j) * runs + c0;
      });
    }
  }
}

} // namespace

NpyHeader read_npy_header(const std::string& path) { return checked_header(InputFile(path)); }

void read_npy(const std::string& path, const NpyHeader& header, void* row_major_destination) {
  const InputFile file(path);
  if (checked_header(file) != header)
    refuse(path, "changed after its header was read; read it when nothing writes to it any more");
  char* const to = static_cast<char*>(row_major_destination);
  if (header.bytes == 0) return;
  if (!header.fortran_order || header.rank < 2)
    return file.read(to, header.bytes, header.data_offset);
  switch (size_of(header.type)) {
  case 1:
    return read_fortran<1>(file, header, to);
  case 2:
    return read_fortran<2>(file, header, to);
  case 4:
    return read_fortran<4>(file, header, to);
  case 8:
    return read_fortran<8>(file, header, to);
  default:
    return read_fortran<16>(file, header, to);
  }
}

NpyFile::NpyFile(const std::string& path)
    : file_(std::make_unique<InputFile>(path)), header_(checked_header(*file_)) {}
NpyFile::~NpyFile() = default;

const std::string& NpyFile::path() const { return file_->path(); }

void NpyFile::read(void* to, std::size_t offset, std::size_t bytes) const {
  file_->read(to, bytes, header_.data_offset + offset);
}

void NpyFile::check_unchanged() const { file_->check_unchanged(); }

NpyOutput::NpyOutput(const std::string& path, Type type, int rank, const Extents& extent)
    : file_(path), element_bytes_(size_of(type)) {
  if (rank < 0 || rank > npy::max_rank)
    throw InvalidArgument("write_npy: an array of rank " + std::to_string(rank) + "; 0 to " +
                          std::to_string(npy::max_rank) + " can be written");
  Extents used{1, 1, 1};
  std::copy_n(extent.begin(), rank, used.begin());
  checked_product({element_bytes_, used[0], used[1], used[2]}, "write_npy");

  std::string start = std::string(magic) + std::string("\1\0\0\0", 4) + "{'descr': '" +
                      npy::dtype_text(type) +
                      "', 'fortran_order': False, 'shape': " + npy::shape_text(rank, used) + ", }";
  start.resize(round_up(start.size() + 1, 64), ' ');
  start.back() = '\n';
  start[8] = static_cast<char>(start.size() - 10); // at most 192 - 10: fits one byte
  file_.write(start.data(), start.size());
  data_offset_ = start.size();
}

void NpyOutput::write(const void* from, std::size_t first, std::size_t count) {
  file_.write_at(from, count * element_bytes_, data_offset_ + first * element_bytes_);
}

void write_npy(const std::string& path, Type type, int rank, const Extents& extent,
               const void* row_major) {
  NpyOutput file(path, type, rank, extent);
  std::size_t count = 1;
  for (int d = 0; d < rank; ++d)
    count *= extent[static_cast<std::size_t>(d)];
  file.write(row_major, 0, count);
  file.commit();
}

} // namespace ado::bench
