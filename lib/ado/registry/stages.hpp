// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of a run that moves its data itself, chunk by chunk, and who records them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ado::bench {

enum class Stage : std::uint8_t {
  allocate, ///< device memory is allocated or freed
  prepare,  ///< the host makes a chunk ready
  copy_in,
  compute,
  copy_out,
  store ///< the host puts a result where it belongs
};
inline constexpr std::array<std::string_view, 6> stage_names{"allocate", "prepare",  "copy in",
                                                             "compute",  "copy out", "store"};
constexpr std::string_view name_of(Stage stage) {
  return stage_names[static_cast<std::size_t>(stage)];
}
/// Whether the device does it; then a stream says when it begins and ends.
constexpr bool is_on_device(Stage stage) {
  return stage == Stage::copy_in || stage == Stage::compute || stage == Stage::copy_out;
}

/// A variant tells it when a stage of a chunk begins and ends. `stream` is the one that the
/// device's stages are launched on, null on a host. Several threads may call at once.
class StageRecorder {
public:
  virtual ~StageRecorder() = default;
  virtual void begin(Stage stage, std::size_t chunk, void* stream) = 0;
  virtual void end(Stage stage, std::size_t chunk, void* stream) = 0;
};

/// A stage that lasts as long as this object; without a recorder it costs a branch.
class StageScope {
public:
  StageScope(StageRecorder* recorder, Stage stage, std::size_t chunk, void* stream = nullptr)
      : recorder_(recorder), stage_(stage), chunk_(chunk), stream_(stream) {
    if (recorder_ != nullptr) recorder_->begin(stage_, chunk_, stream_);
  }
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;
  ~StageScope() {
    if (recorder_ != nullptr) recorder_->end(stage_, chunk_, stream_);
  }

private:
  StageRecorder* recorder_;
  Stage stage_;
  std::size_t chunk_;
  void* stream_;
};

/// A stage of a chunk in `parts` parts, done by any threads: it lasts from the first begin to the
/// last end. It may serve the next chunk once all threads have met.
class StageInParts {
public:
  template <class Work>
  void part(StageRecorder* recorder, Stage stage, std::size_t chunk, std::size_t parts,
            Work&& work) {
    if (recorder != nullptr && begun_++ == 0) recorder->begin(stage, chunk, nullptr);
    work();
    if (recorder != nullptr && ++ended_ == parts) {
      recorder->end(stage, chunk, nullptr);
      begun_ = ended_ = 0;
    }
  }

private:
  std::atomic<std::size_t> begun_{0}, ended_{0};
};

} // namespace ado::bench
