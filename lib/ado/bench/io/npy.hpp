// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes NumPy's .npy files. Whatever bytes a file holds, reading gives the array or an
// InputError: nothing is trusted before it is checked against the file's size.
#pragma once

#include <ado/bench/io/files.hpp>
#include <ado/registry/array.hpp>
#include <ado/registry/types.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace ado::bench {

namespace npy {
class InputFile;
}

/// What a .npy file says it holds. Once read_npy_header() has returned it, the file is known to be
/// exactly data_offset + bytes long, and bytes to be size_of(type) times the product of the
/// extents.
struct NpyHeader {
  Type type = Type::f32;
  bool fortran_order = false;  ///< the first index varies fastest in the file
  int rank = 0;                ///< 0 (one element) to 3
  Extents extent{1, 1, 1};     ///< unused ones are 1
  std::size_t data_offset = 0; ///< where the elements start in the file
  std::size_t bytes = 0;       ///< of the elements

  bool operator==(const NpyHeader&) const = default;
};

/// Reads and checks everything but the elements. Accepts format versions 1.0, 2.0 and 3.0 and the
/// elements of Type in this machine's byte order. Never blocks on a pipe or a device.
NpyHeader read_npy_header(const std::string& path);

/// Reads the elements, in either order, into `row_major_destination`, which has room for
/// `header.bytes`. `header` is what read_npy_header(path) returned; a file that no longer has that
/// header is refused. After an error the destination may be partly written.
void read_npy(const std::string& path, const NpyHeader& header, void* row_major_destination);

/// An open file whose elements are read in pieces, by several threads if need be. It is read, not
/// mapped: a file that shrinks is an error, not a signal.
class NpyFile {
public:
  /// Reads and checks like read_npy_header(). Throws InputError.
  explicit NpyFile(const std::string& path);
  NpyFile(const NpyFile&) = delete;
  NpyFile& operator=(const NpyFile&) = delete;
  ~NpyFile();

  const std::string& path() const;
  const NpyHeader& header() const { return header_; }
  /// Reads bytes `offset` to `offset + bytes` of the elements, in file order. If they are gone,
  /// throws InputError that names what was expected and what was found.
  void read(void* to, std::size_t offset, std::size_t bytes) const;
  /// Throws InputError if the file's size or time has changed since it was opened.
  void check_unchanged() const;

private:
  std::unique_ptr<npy::InputFile> file_;
  NpyHeader header_;
};

/// A file, version 1.0, whose elements are written in pieces, in any order. It appears whole or not
/// at all: after an error (a full disk, say) `path` is as before.
class NpyOutput {
public:
  /// For a row-major array of rank 0 to 3. Throws InputError, and InvalidArgument for another rank.
  NpyOutput(const std::string& path, Type type, int rank, const Extents& extent);

  /// Elements `first` to `first + count`. Throws InputError.
  void write(const void* from, std::size_t first, std::size_t count);
  /// Call once all are written. Throws InputError.
  void commit() { file_.commit(); }

private:
  OutputFile file_;
  std::size_t element_bytes_, data_offset_ = 0;
};

/// Writes a packed row-major array of rank 0 to 3, like NpyOutput.
void write_npy(const std::string& path, Type type, int rank, const Extents& extent,
               const void* row_major);

} // namespace ado::bench
