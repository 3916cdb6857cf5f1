// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All stages at once on a CPU, whose cores do everything: in each turn chunk t is prepared, t - 1
// copied in, t - 2 worked on and t - 3 copied out. A turn is a list of pieces, which any threads
// take in any order; between two turns all of them wait.
#pragma once

#include <ado/pipeline/chunks.hpp>
#include <ado/pipeline/host_results.hpp>
#include <ado/pipeline/prepare.hpp>
#include <ado/registry/stages.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace ado::bench {

template <class T>
class HostTurns {
  static constexpr std::array stages{Stage::prepare, Stage::copy_in, Stage::compute,
                                     Stage::copy_out};

public:
  /// A chunk has enough parts for the threads to end a turn together, and each part is large enough
  /// to be worth taking. A single thread takes whole stages in order.
  explicit HostTurns(const Call& call) : call_(call), stream_(call) {
    constexpr std::size_t least = 4096; // elements
    const auto threads = static_cast<std::size_t>(call.queue.threads);
    if (threads > 1) parts_ = std::clamp(stream_.elements / least, std::size_t{1}, 4 * threads);
  }
  HostTurns(const HostTurns&) = delete;
  HostTurns& operator=(const HostTurns&) = delete;

  std::size_t turns() const { return stream_.chunks == 0 ? 0 : stream_.chunks + stages.size() - 1; }
  std::size_t pieces() const { return stages.size() * parts_; }

  /// Pieces of different stages follow each other, so that threads take different ones at a time.
  void piece(std::size_t turn, std::size_t index) {
    const std::size_t stage = index % stages.size();
    if (const auto chunk = pipeline_chunk(turn, stage, stream_.chunks))
      in_parts_[stage].part(call_.stages, stages[stage], *chunk, parts_,
                            [&] { work(stages[stage], *chunk, index / stages.size()); });
  }

private:
  void work(Stage stage, std::size_t chunk, std::size_t part) const {
    const PipelineSlot<T> host(call_.staging, call_, chunk % pipeline_slots),
        device(call_.workspace, call_, chunk % pipeline_slots);
    const std::size_t first = stream_.results * part / parts_,
                      last = stream_.results * (part + 1) / parts_;
    const std::size_t begin = std::min(first * pipeline_group, stream_.elements),
                      end = std::min(last * pipeline_group, stream_.elements);
    if (begin == end) return;
    if (stage == Stage::prepare)
      prepare_elements(stream_.raw_of(chunk), stream_.gain[chunk], host.prepared, begin, end);
    else if (stage == Stage::copy_in)
      std::memcpy(device.prepared + begin, host.prepared + begin, (end - begin) * sizeof(T));
    else if (stage == Stage::compute)
      host_pipeline::results(device.prepared, stream_.elements, stream_.work, stream_.factor,
                             device.results, first, last);
    else
      std::memcpy(stream_.result_of(chunk) + first, device.results + first,
                  (last - first) * sizeof(T));
  }

  const Call& call_;
  PipelineChunks<T> stream_;
  std::size_t parts_ = 1;
  std::array<StageInParts, stages.size()> in_parts_;
};

} // namespace ado::bench
