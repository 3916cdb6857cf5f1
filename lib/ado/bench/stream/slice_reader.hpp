// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads slices of files ahead, in the background, while earlier ones are worked on.
#pragma once

#include <ado/bench/io/npy.hpp>
#include <ado/bench/stream/slices.hpp>
#include <ado/registry/stages.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ado::bench {

/// An input that is read slice by slice, with a place for a slice in each slot.
struct FileSlices {
  const NpyFile* file;
  std::size_t step_bytes; ///< per step of the size that is cut
  std::array<void*, Slices::slots> to;
};

/// Reads all slices once, in order, on threads of its own. With several files, a slice is there
/// when all of them are.
class SliceReader {
public:
  /// Begins with the first slice. `stages` records when slices are read, or is null.
  SliceReader(const Slices& slices, std::vector<FileSlices> files, int threads,
              StageRecorder* stages = nullptr);
  SliceReader(const SliceReader&) = delete;
  SliceReader& operator=(const SliceReader&) = delete;
  /// Ends after the reads under way.
  ~SliceReader();

  /// Returns when slice k is in its slot, k modulo Slices::slots. Throws InputError if a file could
  /// not be read.
  void wait(std::size_t k);
  /// Slices up to k are no longer needed: their slots may be filled again.
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
  std::size_t next_ = 0;             ///< slice whose pieces are being taken
  std::vector<Piece> pieces_;        ///< of that slice
  std::size_t taken_ = 0;            ///< how many of them are taken
  std::size_t released_ = 0;         ///< slices whose slots are free again
  std::vector<std::size_t> missing_; ///< per slice, pieces not read yet
  std::exception_ptr error_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace ado::bench
