// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads slices of files ahead, in the background, while earlier ones are worked on.
#pragma once

#include <ado/bench/io/npy.hpp>
#include <ado/bench/stream/slices.hpp>
#include <ado/core/stages.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ado {

/// An input that is read slice by slice, and a place for a slice of it in each slot.
struct FileSlices {
  const NpyFile* file;
  std::size_t step_bytes; ///< of one step of the size that is cut
  std::array<void*, Slices::slots> to;
};

/// Reads all slices once, in their order, on threads of its own. Of several files a slice is there when
/// all of them are.
class SliceReader {
public:
  /// Begins with the first slice. `stages`: who wants to know when slices are read, or null.
  SliceReader(const Slices& slices, std::vector<FileSlices> files, int threads,
              StageRecorder* stages = nullptr);
  SliceReader(const SliceReader&) = delete;
  SliceReader& operator=(const SliceReader&) = delete;
  /// Ends after what is being read.
  ~SliceReader();

  /// Returns when slice k is in its slot, k modulo Slices::slots. Throws InputError where a file could
  /// not be read.
  void wait(std::size_t k);
  /// Slice k, and those before, are no longer needed: their slots are read into from now on.
  void release(std::size_t k);

private:
  /// A part of one slice of one file.
  struct Piece {
    std::size_t file, first, bytes; ///< from the slice's first byte
  };
  std::vector<Piece> pieces_of(std::size_t slice) const;
  void work();
  bool take(std::unique_lock<std::mutex>& lock, std::size_t& slice, Piece& piece);
  void read(std::size_t slice, const Piece& piece) const;
  void finish(std::size_t slice);

  const Slices& slices_;
  std::vector<FileSlices> files_;
  StageRecorder* stages_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;             ///< slice whose pieces are taken now
  std::vector<Piece> pieces_;        ///< of that slice
  std::size_t taken_ = 0;            ///< of those
  std::size_t released_ = 0;         ///< slices whose slots are free again
  std::vector<std::size_t> missing_; ///< of each slice the pieces that are not read yet
  std::exception_ptr error_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace ado
