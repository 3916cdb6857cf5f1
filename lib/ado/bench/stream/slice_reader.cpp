// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/allowed_cpus.hpp>
#include <ado/bench/stream/slice_reader.hpp>

#include <algorithm>
#include <utility>

namespace ado::bench {
namespace {

constexpr std::size_t piece_bytes = std::size_t{8} << 20;

/// A new thread inherits its maker's binding. If OpenMP binds that one to a core, all readers would
/// share it; this lets them run wherever OpenMP's threads may.
void leave_the_core() {
  const cpu_set_t cores = openmp_places();
  if (CPU_COUNT(&cores) > 0) sched_setaffinity(0, sizeof cores, &cores); // else nobody is bound
}

} // namespace

SliceReader::SliceReader(const Slices& slices, std::vector<FileSlices> files, int threads,
                         StageRecorder* stages)
    : slices_(slices), files_(std::move(files)), stages_(stages), missing_(slices.count) {
  for (std::size_t k = 0; k < slices.count; ++k)
    missing_[k] = pieces_of(k).size();
  if (slices.count > 0) pieces_ = pieces_of(0);
  try {
    for (int k = 0; k < std::max(threads, 1); ++k)
      threads_.emplace_back([this] { work(); });
  } catch (...) { // no more threads to be had: go on with those there are
    if (threads_.empty()) throw;
  }
}

SliceReader::~SliceReader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void SliceReader::wait(std::size_t k) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return missing_[k] == 0 || error_; });
  if (error_) std::rethrow_exception(error_);
}

void SliceReader::release(std::size_t k) {
  {
    const std::lock_guard lock(mutex_);
    released_ = std::max(released_, k + 1);
  }
  changed_.notify_all();
}

std::vector<SliceReader::Piece> SliceReader::pieces_of(std::size_t slice) const {
  std::vector<Piece> pieces;
  for (std::size_t file = 0; file < files_.size(); ++file) {
    const std::size_t bytes = slices_.length_of(slice) * files_[file].step_bytes;
    for (std::size_t first = 0; first < bytes; first += piece_bytes)
      pieces.push_back({file, first, std::min(piece_bytes, bytes - first)});
  }
  return pieces;
}

/// The next piece whose slot is free; waits for one. False: none is left.
bool SliceReader::take(std::unique_lock<std::mutex>& lock, std::size_t& slice, Piece& piece) {
  for (;;) {
    while (next_ < slices_.count && taken_ == pieces_.size()) {
      taken_ = 0;
      pieces_ = ++next_ < slices_.count ? pieces_of(next_) : std::vector<Piece>();
    }
    if (stopping_ || error_ || next_ >= slices_.count) return false;
    if (next_ < released_ + Slices::slots) break;
    changed_.wait(lock);
  }
  slice = next_;
  if (stages_ != nullptr && taken_ == 0) stages_->begin(Stage::prepare, slice, nullptr);
  piece = pieces_[taken_++];
  return true;
}

void SliceReader::read(std::size_t slice, const Piece& piece) const {
  const FileSlices& file = files_[piece.file];
  file.file->read(static_cast<std::byte*>(file.to[slice % Slices::slots]) + piece.first,
                  slices_.first(slice) * file.step_bytes + piece.first, piece.bytes);
}

void SliceReader::finish(std::size_t slice) {
  if (--missing_[slice] > 0) return;
  if (stages_ != nullptr) stages_->end(Stage::prepare, slice, nullptr);
  changed_.notify_all();
}

void SliceReader::work() {
  leave_the_core();
  std::unique_lock lock(mutex_);
  std::size_t slice = 0;
  Piece piece{};
  while (take(lock, slice, piece)) {
    lock.unlock();
    std::exception_ptr error;
    try {
      read(slice, piece);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) {
      if (!error_) error_ = error;
      changed_.notify_all();
      return;
    }
    finish(slice);
  }
}

} // namespace ado::bench
